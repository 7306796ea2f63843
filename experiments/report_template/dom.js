"use strict";
// Everything that comes from the run is put in as text, never as markup: model output is not trusted.
const SVG = "http://www.w3.org/2000/svg";

function put(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "on") for (const [name, f] of Object.entries(value)) node.addEventListener(name, f);
    else if (key === "style") Object.assign(node.style, value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((c) => c !== null && c !== undefined));
  return node;
}
const h = (tag, attributes, ...children) => put(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) => put(document.createElementNS(SVG, tag), attributes, children);

const color = (i) => `var(--c${i % 6})`;
const known = (x) => typeof x === "number" && Number.isFinite(x);
const percent = (x, digits = 1) => (known(x) ? (100 * x).toFixed(digits) + " %" : "–");
const points = (x) => (known(x) ? (x < 0 ? "−" : "+") + Math.abs(100 * x).toFixed(1) : "–");
function number(x) {
  if (!known(x)) return "–";
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return x.toExponential(1).replace("e+", "e");
  return String(Number(size >= 100 ? x.toFixed(size >= 1000 ? 0 : 1) : x.toPrecision(3))).replace("-", "−");
}
function section(title, lead, ...children) {
  return h("section", {}, h("h2", {}, title), h("p", { class: "lead" }, lead || ""), ...children);
}
