"use strict";
(function () {
  const root = document.documentElement;
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  const data = JSON.parse(document.getElementById("data").textContent);
  document.getElementById("facts").textContent = data.facts.join(" · ");
  const main = document.getElementById("main");
  if (data.arms.length) main.append(section("Success", "Share of episodes whose goal state was reached. Dot and whisker: estimate and 95 % interval.", armTable(data), data.comparisons.length ? comparisonTable(data) : null));
  if (data.arms.length) main.append(section("Tasks", "The same per task. A click on a heading sorts.", taskTable(data)));
  if (data.curves.length) main.append(section("Curves", "Move over a curve to read it. The pale line is the raw value.", ...curves(data)));
  if (data.episodes.length) {
    const keys = [["←", "→"], ["j", "k"]].map(([a, b], i) => [h("kbd", {}, a), " ", h("kbd", {}, b), i ? " episode" : " step   "]);
    main.append(h("section", {}, h("h2", {}, "Episodes"), h("p", { class: "lead" }, data.episode_note, " ", ...keys.flat()), viewer(data)));
  }
  if (data.configs.length) main.append(section("Configuration", "", h("div", { class: "configs" }, data.configs.map((c) => h("details", { open: data.configs.length < 3 }, h("summary", {}, c.name), h("pre", {}, c.text))))));
  if (!main.querySelector("section")) main.append(h("p", { class: "note" }, "There is nothing to show yet: no evaluation, no curve and no episode was found."));
})();
