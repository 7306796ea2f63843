"use strict";
// The action of a step, drawn over the screen it was chosen on. Points are fractions of the screen.
function arrow(x0, y0, x1, y1, unit) {
  const angle = Math.atan2(y1 - y0, x1 - x0);
  const head = [-0.5, 0.5].map((d) => `L${x1} ${y1}L${x1 - 12 * unit * Math.cos(angle + d)} ${y1 - 12 * unit * Math.sin(angle + d)}M${x1} ${y1}`).join("");
  return `M${x0} ${y0}${head}`;
}
function marks(action, w, hgt) {
  const unit = w / 360;
  const svg = s("svg", { viewBox: `0 0 ${w} ${hgt}`, "aria-hidden": "true" });
  // A white halo below the colour keeps a mark readable on any background.
  const both = (tag, shape, fill) => svg.append(
    s(tag, { ...shape, style: { fill: "none", stroke: "#fff", strokeWidth: 6.5 * unit, strokeLinecap: "round", strokeLinejoin: "round", opacity: 0.85 } }),
    s(tag, { ...shape, style: { fill: fill || "none", stroke: "var(--mark)", strokeWidth: 3 * unit, strokeLinecap: "round", strokeLinejoin: "round" } }));
  const clamp = (v) => Math.min(1, Math.max(0, v));
  const at = (p) => [clamp(p[0]) * w, clamp(p[1]) * hgt];
  const ways = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };
  if (action.box) {
    const [x0, y0] = at(action.box.slice(0, 2)), [x1, y1] = at(action.box.slice(2));
    both("rect", { x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.abs(x1 - x0), height: Math.abs(y1 - y0), rx: 3 * unit });
  }
  if (action.point && action.end) both("path", { d: arrow(...at(action.point), ...at(action.end), unit) });
  else if (action.direction && ways[action.direction]) {
    const [x, y] = at(action.point || [0.5, 0.5]), [dx, dy] = ways[action.direction];
    const reach = Math.min(action.amount ?? 0.5, 0.8) * (dx ? w : hgt) * 0.5;
    both("path", { d: arrow(x - (dx * reach) / 2, y - (dy * reach) / 2, x + (dx * reach) / 2, y + (dy * reach) / 2, unit) });
  } else if (action.point) {
    const [cx, cy] = at(action.point);
    both("circle", { cx, cy, r: 14 * unit });
    if (action.type === "long_press" || action.type === "double_click") both("circle", { cx, cy, r: 21 * unit });
    svg.append(s("circle", { cx, cy, r: 3.5 * unit, style: { fill: "var(--mark)", stroke: "#fff", strokeWidth: 1.2 * unit } }));
  }
  return svg;
}
function clicked(action) {
  const short = (t) => (t.length > 60 ? t.slice(0, 59) + "…" : t);
  const f = (p) => `(${p[0].toFixed(3)}, ${p[1].toFixed(3)})`;
  const rest = [];
  if (action.point) rest.push(f(action.point));
  if (action.end) rest.push("→ " + f(action.end));
  if (action.direction) rest.push(action.direction);
  if (action.text !== undefined && action.text !== null) rest.push(JSON.stringify(short(action.text)));
  if (action.keys) rest.push(action.keys.join("+"));
  if (action.submit) rest.push("+ Enter");
  if (action.status) rest.push(action.status);
  if (action.duration) rest.push(number(action.duration) + " s");
  return action.type + (rest.length ? " " + rest.join(" ") : "");
}

function viewer(data) {
  const episodes = data.episodes;
  let shown = episodes.map((_, i) => i), at = 0, step = 0, timer = null;
  const list = h("div", { class: "list" });
  const screen = h("div", { class: "screen" });
  const detail = h("div", { class: "detail", "aria-live": "polite" });
  const film = h("div", { class: "film" });
  const slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "Step" });
  const count = h("span", {});
  const back = h("button", { type: "button", "aria-label": "Previous step" }, "‹");
  const next = h("button", { type: "button", "aria-label": "Next step" }, "›");
  const play = h("button", { type: "button", "aria-label": "Play" }, "▶");
  const picture = (hash, attributes) => {
    const image = data.images[hash];
    return image ? h("img", { ...attributes, src: image.src, width: image.width, height: image.height }) : h("p", { class: "note" }, "no picture");
  };
  const pill = (text, kind) => h("span", { class: "pill" + (kind ? " " + kind : "") }, text);

  function outcome(e) {
    if (e.fault) return pill("device fault: " + e.fault, "warn");
    if (!known(e.success)) return pill("not finished", "warn");
    return e.success >= 1 ? pill("✓ success", "good") : pill(e.success > 0 ? `✗ partly: ${number(e.success)}` : "✗ failed", "bad");
  }
  function drawStep() {
    const e = episodes[at], now = e.steps[step], a = now.action;
    const image = data.images[now.screen];
    screen.replaceChildren(picture(now.screen, { alt: `Screen before step ${step + 1}` }));
    if (image && a) screen.append(marks(a, image.width, image.height));
    slider.max = e.steps.length - 1; slider.value = step;
    count.textContent = `${step + 1} / ${e.steps.length}`;
    back.disabled = step === 0; next.disabled = step === e.steps.length - 1;
    [...film.children].forEach((node, i) => { if (i === step) node.setAttribute("aria-current", "true"); else node.removeAttribute("aria-current"); });
    const current = film.children[step];
    if (current) film.scrollLeft = current.offsetLeft - film.offsetLeft - film.clientWidth / 2 + 29;
    const parts = Object.entries(now.parts || {});
    detail.replaceChildren(...[
      h("p", { class: "goal" }, e.goal),
      h("div", { class: "pills" }, outcome(e), pill(e.arm), pill(e.task), pill("seed " + e.seed), e.status ? pill("said " + e.status) : null),
      h("h3", {}, a ? `Step ${step + 1}: action` : "The end"),
      a ? h("div", { class: "action" }, clicked(a)) : null,
      h("div", { class: "pills" },
        known(now.reward) ? pill("reward " + number(now.reward), now.reward > 0 ? "good" : now.reward < 0 ? "bad" : "") : null,
        now.invalid ? pill("invalid: " + now.invalid, "warn") : null,
        now.element ? pill(`on ${now.element.role}` + (now.element.text ? ` “${now.element.text}”` : "")) : null,
        now.repaired ? pill("answer repaired", "warn") : null,
        now.fault ? pill("fault: " + now.fault, "warn") : null),
      parts.length ? h("table", { class: "parts" }, h("tbody", {}, parts.map(([name, v]) => h("tr", {}, h("td", {}, name), h("td", {}, typeof v === "object" && v ? `${number(v.value)} (${v.kind})` : number(v)))))) : null,
      (now.unread || []).map((u) => [h("h3", {}, "Could not be read, nothing was done"), h("div", { class: "pills" }, pill(u.error, "warn")), u.text ? h("pre", {}, u.text) : null]).flat(),
      now.text ? [h("h3", {}, "Model text"), h("pre", {}, now.text)] : null,
      now.prompt ? h("details", {}, h("summary", {}, "Prompt"), h("pre", {}, now.prompt)) : null,
      !a && e.milestones ? [h("h3", {}, "Milestones"), h("div", { class: "pills" }, Object.entries(e.milestones).map(([name, met]) => pill((met ? "✓ " : "✗ ") + name, met ? "good" : "")))] : null,
      !a && (e.side_effects || []).length ? [h("h3", {}, "Side effects"), h("pre", {}, e.side_effects.join("\n"))] : null,
      !a && e.answer ? [h("h3", {}, "Answer"), h("pre", {}, e.answer)] : null,
    ].flat().filter((c) => c));
    try { history.replaceState(null, "", `#episode=${at + 1}&step=${step + 1}`); } catch (_) { /* not from a file in every browser */ }
  }
  function drawEpisode() {
    film.replaceChildren(...episodes[at].steps.map((now, i) => h("button", { type: "button", "aria-label": "Step " + (i + 1), on: { click: () => go(i) } },
      picture(now.screen, { alt: "", loading: "lazy" }), h("span", { class: "what" }, now.action ? now.action.type : "end"),
      h("span", { class: now.reward > 0 ? "good" : now.reward < 0 ? "bad" : "" }, known(now.reward) && now.reward !== 0 ? points100(now.reward) : " "))));
    [...list.children].forEach((node) => { if (Number(node.dataset.at) === at) { node.setAttribute("aria-current", "true"); } else node.removeAttribute("aria-current"); });
    drawStep();
  }
  const points100 = (r) => (r > 0 ? "+" : "−") + number(Math.abs(r));
  function go(to) { step = Math.max(0, Math.min(episodes[at].steps.length - 1, to)); drawStep(); }
  function pick(i, first = 0) { at = i; step = Math.max(0, Math.min(episodes[i].steps.length - 1, first)); drawEpisode(); }
  function other(by) {
    const i = shown.indexOf(at) + by;
    if (i < 0 || i >= shown.length) return;
    pick(shown[i]);
    reveal(list.children[i]);
  }
  // Scrolls the list alone: scrollIntoView would also move the page.
  function reveal(entry) {
    const top = entry.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + entry.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  }
  function stop() { clearInterval(timer); timer = null; play.textContent = "▶"; play.setAttribute("aria-label", "Play"); }
  play.addEventListener("click", () => {
    if (timer) return stop();
    if (step === episodes[at].steps.length - 1) go(0);
    play.textContent = "❚❚"; play.setAttribute("aria-label", "Pause");
    timer = setInterval(() => { if (step >= episodes[at].steps.length - 1) stop(); else go(step + 1); }, 900);
  });
  back.addEventListener("click", () => { stop(); go(step - 1); });
  next.addEventListener("click", () => { stop(); go(step + 1); });
  slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "INPUT", "TEXTAREA"].includes(event.target.tagName)) return;
    const does = { ArrowLeft: () => go(step - 1), ArrowRight: () => go(step + 1), j: () => other(1), k: () => other(-1), Home: () => go(0), End: () => go(1e9) }[event.key];
    if (does) { event.preventDefault(); stop(); does(); }
  });

  const choose = (label, values) => h("select", { "aria-label": label, on: { change: filter } }, h("option", { value: "" }, label), values.map((v) => h("option", { value: v }, v)));
  const arms = choose("All arms", [...new Set(episodes.map((e) => e.arm))]);
  const tasks = choose("All tasks", [...new Set(episodes.map((e) => e.task))].sort());
  const ends = choose("All outcomes", ["success", "failed", "fault", "parse errors"]);
  function filter() {
    shown = episodes.map((_, i) => i).filter((i) => {
      const e = episodes[i], end = ends.value;
      return (!arms.value || e.arm === arms.value) && (!tasks.value || e.task === tasks.value) && (!end ||
        (end === "fault" ? e.fault : end === "parse errors" ? e.steps.some((x) => x.unread) : !e.fault && (e.success >= 1) === (end === "success")));
    });
    list.replaceChildren(...shown.map((i) => {
      const e = episodes[i], won = e.success >= 1;
      return h("button", { type: "button", "data-at": i, "aria-current": i === at ? "true" : null, on: { click: () => { stop(); pick(i); } } },
        h("span", { class: won ? "good" : "bad", "aria-label": won ? "success" : "failed" }, e.fault ? "!" : won ? "✓" : "✗"),
        h("span", { class: "title" }, e.task), h("small", {}, `${e.steps.filter((x) => x.action).length} steps`),
        h("small", { class: "where" }, `${e.arm} · seed ${e.seed}`));
    }));
    if (!shown.length) list.append(h("p", { class: "note" }, "No episode matches."));
    else if (!shown.includes(at)) pick(shown[0]);
  }
  filter();
  const from = /^#episode=(\d+)&step=(\d+)$/.exec(location.hash);
  const start = from && episodes[from[1] - 1] ? [from[1] - 1, from[2] - 1] : [0, 0];
  pick(...start);
  requestAnimationFrame(() => {
    const current = list.querySelector("[aria-current]");
    if (current) reveal(current);
    if (from) list.closest(".viewer")?.scrollIntoView(); // a link to an episode opens there
  });
  return h("div", { class: "viewer" },
    h("nav", { "aria-label": "Episodes" }, h("div", { class: "filters" }, arms, tasks, ends), list),
    h("div", { class: "stage" }, screen, h("div", { class: "bar" }, back, play, next, slider, count)), detail, film);
}
