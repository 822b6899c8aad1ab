// The map in numbers: sums, and a table of classes. A class that is chosen there stands out on the map.
"use strict";
(() => {
  const { el, byId, said, percent, scene, map: drawn } = Osr;
  const cells = (value) => value.toFixed(2);
  const SUMS = [
    ["F1", "f1", percent],
    ["precision", "precision", percent],
    ["recall", "recall", percent],
    ["cells off", "distance", cells],
  ];
  let held = false;

  function sums(map) {
    return SUMS.map(([title, name, style]) => {
      const [strict, published] = map[name].map(style);
      const other = strict === published ? null : el("small", {}, ` published ${published}`);
      return el("div", {}, el("dt", {}, title), el("dd", {}, strict, other));
    });
  }

  function told(map, way) {
    if (map === null && way.map === "true map") return "The model was given this map, the true one.";
    if (map === null) return "The model was not asked for a map. This is the true one.";
    if (!map.read) return ["No map could be read in the reply.", map.why].filter(Boolean).join(" ");
    const turned = map.quarters ? `turned by ${90 * map.quarters}° clockwise, as it is drawn here` : "as it was stated";
    const lines = [`It fits best ${turned}.`];
    if (map.mirrored !== null) {
      const better = map.mirrored > map.f1[0] ? ", which is better: left and right are confused" : "";
      lines.push(`Its mirror image would have an F1 of ${percent(map.mirrored)}${better}.`);
    }
    return lines.join(" ");
  }

  function counted(map) {
    const counts = new Map();
    const of = (name) => {
      if (!counts.has(name)) counts.set(name, { there: 0, stated: 0, found: 0, distances: [] });
      return counts.get(name);
    };
    for (const each of scene.truth) of(each.name).there += 1;
    for (const each of map?.stated ?? []) {
      const row = of(each.name);
      row.stated += 1;
      row.found += each.verdict === "found";
      if (each.distance !== null) row.distances.push(each.distance);
    }
    return counts;
  }

  const mean = (values) => (values.length ? (values.reduce((a, b) => a + b, 0) / values.length).toFixed(1) : "–");

  function line(name, of, asked) {
    const button = el("button", { type: "button", "aria-pressed": "false" }, said(name));
    const numbers = asked ? [of.there, of.stated, of.found, mean(of.distances)] : [of.there];
    const row = el("tr", { class: of.there ? false : "absent", "data-name": name },
      el("th", { scope: "row" }, button),
      numbers.map((number) => el("td", {}, number)));
    button.addEventListener("click", () => {
      const only = held && drawn.chosen.size === 1 && drawn.chosen.has(name);
      choose(only ? [] : [name]);
    });
    const hover = (names) => (event) => event.pointerType === "mouse" && !held && drawn.choose(names);
    row.addEventListener("pointerenter", hover([name]));
    row.addEventListener("pointerleave", hover([]));
    return row;
  }

  function choose(names, between) {
    held = names.length > 0;
    drawn.choose(names, between);
    for (const row of byId("classes").querySelectorAll("tr[data-name]")) {
      row.querySelector("button").setAttribute("aria-pressed", String(names.includes(row.dataset.name)));
    }
  }

  function table(map, asked) {
    const titles = asked ? ["class", "there", "stated", "found", "cells off"] : ["class", "there"];
    const heads = el("tr", {}, titles.map((title) => el("th", { scope: "col" }, title)));
    const rows = [...counted(map)].map(([name, of]) => line(name, of, asked));
    return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Classes" },
      el("table", {}, el("thead", {}, heads), el("tbody", {}, rows)));
  }

  function show(map, way) {
    held = false;
    drawn.chosen.clear();
    const asked = map !== null && map.read;
    byId("told").textContent = told(map, way);
    byId("sums").replaceChildren(...(asked ? sums(map) : []));
    byId("classes").replaceChildren(table(map, asked));
    const reply = map && el("details", {}, el("summary", {}, "The reply"), Osr.reply(map.reply));
    byId("map-reply").replaceChildren(...(reply ? [reply] : []));
    drawn.show(map);
  }

  Osr.classes = { show, choose };
})();
