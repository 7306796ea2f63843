"use strict";
function ticks(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((v) => v >= rough * 0.999);
  const out = [];
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + step * 1e-6; v += step) out.push(Math.abs(v) < step * 1e-6 ? 0 : v);
  return out;
}
// Tick labels need the digits that tell neighbours apart.
function tickLabel(v, marks) {
  const step = marks.length > 1 ? marks[1] - marks[0] : Math.abs(v) || 1;
  const size = Math.abs(v);
  if (v === 0 || step >= 1 || step < 1e-5 || size >= 1e5) return number(v);
  const digits = [0, 1, 2, 3, 4, 5, 6].find((d) => Math.abs(step * 10 ** d - Math.round(step * 10 ** d)) < 1e-6) ?? 6;
  return (size < 1e-3 ? number(v) : v.toFixed(digits)).replace("-", "−");
}
// Exponential moving average that is not biased to its first value (as in Adam).
function smooth(values, weight) {
  let mean = 0, mass = 0;
  return values.map((v) => {
    if (!known(v)) return v;
    mean = weight * mean + (1 - weight) * v;
    mass = weight * mass + (1 - weight);
    return mean / mass;
  });
}
function line(steps, values, x, y) {
  let path = "", pen = false;
  steps.forEach((step, i) => {
    if (!known(values[i])) { pen = false; return; }
    path += `${pen ? "L" : "M"}${x(step).toFixed(1)} ${y(values[i]).toFixed(1)}`;
    pen = true;
  });
  return path;
}
function chart(tag, series, paintOf, weight) {
  const W = 300, H = 150, left = 40, right = 6, top = 8, bottom = 20;
  const shown = series.map((one) => ({ ...one, smooth: smooth(one.values, weight) }));
  // A long noisy curve is scaled to its smooth line, so that outliers do not flatten it.
  const all = shown.flatMap((one) => (weight && one.values.length > 60 ? one.smooth : one.values).filter(known));
  const steps = shown.flatMap((one) => one.steps);
  let low = Math.min(...all), high = Math.max(...all), first = Math.min(...steps), last = Math.max(...steps);
  if (!all.length) return null;
  if (high - low < 1e-12 * Math.max(1, Math.abs(high))) { const d = Math.abs(high) * 0.1 || 0.5; low -= d; high += d; }
  const pad = (high - low) * 0.06;
  if (low >= 0 && high <= 1 && high - low > 0.3) { low = 0; high = 1; } else { low -= pad; high += pad; }
  if (first === last) { first -= 1; last += 1; }
  const x = (v) => left + ((v - first) / (last - first)) * (W - left - right);
  const y = (v) => H - bottom - ((Math.min(high, Math.max(low, v)) - low) / (high - low)) * (H - top - bottom);
  const svg = s("svg", { class: "chart", viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": tag });
  const rows = ticks(low, high, 3);
  for (const v of rows) svg.append(s("line", { class: "gridline", x1: left, x2: W - right, y1: y(v), y2: y(v) }), s("text", { x: left - 6, y: y(v) + 3.5, "text-anchor": "end" }, tickLabel(v, rows)));
  for (const v of ticks(first, last, 4)) svg.append(s("text", { x: x(v), y: H - 6, "text-anchor": "middle" }, number(v)));
  svg.append(s("line", { class: "axis", x1: left, x2: W - right, y1: H - bottom, y2: H - bottom }));
  for (const one of shown) {
    const paint = paintOf(one.run);
    if (weight) svg.append(s("path", { d: line(one.steps, one.values, x, y), style: { fill: "none", stroke: paint, opacity: 0.25 } }));
    svg.append(s("path", { d: line(one.steps, weight ? one.smooth : one.values, x, y), style: { fill: "none", stroke: paint, strokeWidth: 1.8, strokeLinejoin: "round" } }));
    if (one.steps.length === 1) svg.append(s("circle", { cx: x(one.steps[0]), cy: y(one.values[0]), r: 2.5, style: { fill: paint } }));
  }
  const read = h("span", {}, number(shown[shown.length - 1].values.at(-1)));
  const resting = read.textContent;
  const hair = s("line", { y1: top, y2: H - bottom, visibility: "hidden", style: { stroke: "var(--faint)" } });
  svg.append(hair);
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const at = first + (((event.clientX - box.left) / box.width) * W - left) / (W - left - right) * (last - first);
    const near = shown.map((one) => one.steps.reduce((best, v, i) => (Math.abs(v - at) < Math.abs(one.steps[best] - at) ? i : best), 0));
    const step = shown[0].steps[near[0]];
    hair.setAttribute("x1", x(step)); hair.setAttribute("x2", x(step)); hair.setAttribute("visibility", "visible");
    read.textContent = `step ${step}: ` + shown.map((one, i) => number(one.values[near[i]])).join(" · ");
  });
  svg.addEventListener("pointerleave", () => { hair.setAttribute("visibility", "hidden"); read.textContent = resting; });
  return h("figure", {}, h("figcaption", {}, h("span", { title: tag }, tag.split("/").slice(1).join("/") || tag), read), svg);
}
function curves(data) {
  const tags = [...new Set(data.curves.map((c) => c.tag))];
  const runs = [...new Set(data.curves.map((c) => c.run))];
  // A run has the colour of the arm of its name; the groups that say most come first.
  const named = data.arms.map((a) => a.name);
  const spare = [...Array(named.length + runs.length).keys()].slice(named.length);
  const paints = new Map(runs.map((run) => [run, color(named.includes(run) ? named.indexOf(run) : spare.shift())]));
  const paintOf = (run) => paints.get(run);
  const groupOf = (tag) => (tag.includes("/") ? tag.split("/")[0] : "other");
  const rank = (group) => { const i = ["gui", "charts", "rewards", "losses"].indexOf(group); return i < 0 ? 9 : i; };
  const groups = [...new Set(tags.map(groupOf))].sort((a, b) => rank(a) - rank(b));
  const short = (tag) => tag.split("/").slice(1).join("/") || tag;
  // What never changes needs no picture.
  const still = (tag) => {
    const values = data.curves.filter((c) => c.tag === tag).flatMap((c) => c.values).filter(known);
    return values.length > 1 && Math.max(...values) - Math.min(...values) <= 1e-4 * Math.max(...values.map(Math.abs));
  };
  const flat = new Set(tags.filter(still));
  const place = h("div", {});
  const open = new Map();
  const draw = (weight) => place.replaceChildren(...groups.map((group, i) => {
    const own = tags.filter((tag) => groupOf(tag) === group);
    const constant = own.filter((tag) => flat.has(tag)).map((tag) => `${short(tag)} ${number(data.curves.find((c) => c.tag === tag).values.find(known))}`);
    const box = h("details", { class: "group", open: open.get(group) ?? i < 4 }, h("summary", {}, group),
      h("div", { class: "charts" }, own.filter((tag) => !flat.has(tag)).map((tag) => chart(tag, data.curves.filter((c) => c.tag === tag), paintOf, weight))),
      constant.length ? h("p", { class: "note constant" }, "Constant: " + constant.join(" · ")) : null);
    box.addEventListener("toggle", () => open.set(group, box.open));
    return box;
  }));
  const slider = h("input", { type: "range", min: 0, max: 0.98, step: 0.02, value: 0.6, "aria-label": "Smoothing" });
  slider.addEventListener("input", () => draw(Number(slider.value)));
  draw(0.6);
  const legend = runs.length > 1 ? runs.map((run) => h("span", {}, h("span", { class: "swatch", style: { background: paintOf(run) } }), run)) : [];
  return [h("div", { class: "tools" }, h("label", {}, "Smoothing", slider), legend), place];
}
