"use strict";
// An estimate with its interval on a fixed axis from 0 to 1 (or -1 to 1): a whisker and a dot.
function whisker(estimate, paint, signed, width = 150) {
  const low = signed ? -1 : 0;
  const x = (v) => 6 + ((Math.min(1, Math.max(low, v)) - low) / (1 - low)) * (width - 12);
  const svg = s("svg", { viewBox: `0 0 ${width} 20`, width, height: 20, "aria-hidden": "true" });
  svg.append(s("rect", { x: x(low), y: 8, width: x(1) - x(low), height: 4, rx: 2, style: { fill: "var(--grid)" } }));
  if (signed) svg.append(s("line", { x1: x(0), x2: x(0), y1: 2, y2: 18, style: { stroke: "var(--faint)" } }));
  if (!known(estimate.mean)) return svg;
  if (!signed) svg.append(s("rect", { x: x(0), y: 8, width: Math.max(0, x(estimate.mean) - x(0)), height: 4, rx: 2, style: { fill: paint, opacity: 0.35 } }));
  svg.append(
    s("line", { x1: x(estimate.low), x2: x(estimate.high), y1: 10, y2: 10, style: { stroke: paint, strokeWidth: 2 } }),
    ...[estimate.low, estimate.high].map((v) => s("line", { x1: x(v), x2: x(v), y1: 6, y2: 14, style: { stroke: paint, strokeWidth: 1.5 } })),
    s("circle", { cx: x(estimate.mean), cy: 10, r: 4, style: { fill: paint } }),
  );
  return svg;
}
const range = (e, f) => h("span", { class: "range" }, `${f(e.low)} – ${f(e.high)}`);
const bare = (x) => (known(x) ? (100 * x).toFixed(1) : "–");

function armTable(data) {
  const ks = [...new Set(data.arms.flatMap((a) => Object.keys(a.pass_at_k)))].filter((k) => k !== "1").sort((a, b) => a - b);
  // Columns of what never happened are left out.
  const columns = [["Episodes", "episodes", String], ["Mean steps", "mean_steps", number], ["Parse errors", "parse_error_rate", percent], ["Invalid actions", "invalid_rate", percent],
    ["With side effects", "side_effect_rate", percent], ["Device faults", "fault_rate", percent]].filter(([, key]) => data.arms.some((a) => a[key]));
  const rows = data.arms.map((a, i) => h("tr", {},
    h("td", { class: "name" }, h("span", { class: "swatch", style: { background: color(i) } }), a.name, a.agent === a.name ? null : h("small", { class: "path", title: a.agent }, h("bdi", {}, a.agent))),
    h("td", {}, percent(a.success.mean), range(a.success, bare)),
    h("td", { class: "plot" }, whisker(a.success, color(i))),
    ks.map((k) => h("td", {}, percent(a.pass_at_k[k]))),
    columns.map(([, key, show]) => h("td", {}, show(a[key])))));
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Arm"), h("th", {}, "Success, 95 % interval"), h("th", { class: "plot" }, "0 to 100 %"),
    ks.map((k) => h("th", {}, "pass@" + k)), columns.map(([label]) => h("th", {}, label)))), h("tbody", {}, rows)));
}

function comparisonTable(data) {
  const rows = data.comparisons.map((c) => {
    const clear = c.low > 0 ? "up" : c.high < 0 ? "down" : "muted";
    return h("tr", {}, h("td", { class: "name" }, c.treated, h("small", {}, " minus "), c.control),
      h("td", { class: clear }, points(c.mean) + " points"), h("td", { class: "muted" }, `${points(c.low)} to ${points(c.high)}`),
      h("td", { class: "plot" }, whisker(c, c.low > 0 ? "var(--good)" : c.high < 0 ? "var(--bad)" : "var(--c4)", true)), h("td", { class: "muted" }, String(c.pairs)));
  });
  return h("div", {}, h("h3", {}, "Paired differences"), h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, ["Comparison", "Lift", "95 % interval", "−100 to 100 points", "Same starts"].map((t, i) => h("th", { class: i === 3 ? "plot" : null }, t)))), h("tbody", {}, rows))));
}

// A CamelCase name may break before a capital.
const breakable = (name) => name.split(/(?=[A-Z])/).flatMap((part, i) => (i ? [h("wbr", {}), part] : [part]));

// One row a task, one column an arm; a click on a heading sorts.
function taskTable(data) {
  const names = [...new Set(data.arms.flatMap((a) => Object.keys(a.tasks)))];
  const body = h("tbody", {});
  const value = (name, i) => data.arms[i].tasks[name]?.success.mean ?? -1;
  const draw = (order) => body.replaceChildren(...order.map((name) => h("tr", {}, h("td", { class: "name" }, breakable(name)), data.arms.map((a, i) => {
    const t = a.tasks[name];
    if (!t) return h("td", { class: "muted" }, "–");
    return h("td", { title: `${t.episodes} episodes, mean steps ${number(t.mean_steps)}` }, h("div", { class: "pair" }, whisker(t.success, color(i), false, 86),
      h("span", { class: "rate" }, percent(t.success.mean, 0)), h("span", { class: "range" }, `${bare(t.success.low)} – ${bare(t.success.high)} of ${t.episodes}`)));
  }))));
  const heads = ["Task", ...data.arms.map((a) => a.name)].map((label, column) => {
    const th = h("th", {}, h("button", { type: "button", title: "Sort", on: { click: () => {
      const down = column > 0 && th.getAttribute("aria-sort") !== "descending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      th.setAttribute("aria-sort", down ? "descending" : "ascending");
      const order = [...names];
      if (column) order.sort((a, b) => (down ? -1 : 1) * (value(a, column - 1) - value(b, column - 1)));
      draw(order);
    } } }, label));
    return th;
  });
  draw(names);
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, heads)), body));
}
