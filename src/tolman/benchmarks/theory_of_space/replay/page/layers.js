// The legend of the map, with switches for its layers.
"use strict";
(() => {
  const { el, svg, byId, store, episode, marks, heat, point, percent } = Replay;

  const thing = { at: [0, 0], front: 1 };
  const SHAPES = {
    truth: () => marks.item(thing, "met"),
    path: () => svg("g", { class: "path" }, svg("path", { d: "M-0.45 0.3 L0 -0.1 L0.45 -0.1", class: "way" })),
    view: () => svg("g", { class: "view" }, svg("path", { d: "M0 0.5 L-0.55 -0.4 H0.55 Z" })),
    said: () => marks.stated([0, 0], null, "impossible"),
    heat: () => svg("g", { class: "heat" }, svg("path", { d: "M-0.5 -0.5 h1 v1 h-1 z", "fill-opacity": 0.6 })),
    before: () => marks.item(thing, "ghost"),
  };
  const LAYERS = [
    ["truth", "Truth"],
    ["path", "Path"],
    ["view", "Field of view"],
    ["said", "Stated map"],
    ["heat", "Possible positions"],
    ...(episode.revision ? [["before", "Before the change"]] : []),
  ];
  const GLYPHS = [
    [marks.item(thing, "in-view"), "in view"],
    [marks.item(thing, "met"), "seen"],
    [marks.item(thing, "unmet"), "not seen yet"],
    [marks.stated([-0.3, -0.3], null, "right"), "stated right"],
    [marks.stated([0, 0], null, "unlucky"), "wrong, but possible"],
    [marks.stated([0, 0], null, "impossible"), episode.revision ? "impossible, or wrong" : "impossible"],
  ];

  function pictured(shape) {
    return svg("svg", { viewBox: "-0.6 -0.6 1.2 1.2", class: "swatch", "aria-hidden": "true" }, shape);
  }

  function toggle([name, title], i) {
    const box = el("input", { type: "checkbox", id: `layer-${name}` });
    box.addEventListener("change", () => store.toggle(name));
    return el("label", { title: `Key ${i + 1}` }, box, pictured(SHAPES[name]()), title);
  }

  const fair = el("input", { type: "checkbox", id: "fair" });
  fair.addEventListener("change", () => store.set({ fair: fair.checked }));

  const chooser = el("select", { id: "chosen" }, el("option", { value: "" }, "everything at once"));
  chooser.append(...episode.items.map((item, i) => el("option", { value: i }, item.name)));
  chooser.addEventListener("change", () => store.set({ chosen: chooser.value === "" ? null : Number(chooser.value) }));

  const note = el("p", { class: "chosen-note", id: "chosen-note" });
  const hide = el("label", { title: "Key f" }, fair, "Hide what the agent has not seen yet");
  byId("layers").append(
    el("div", { class: "toggles" }, LAYERS.map(toggle)),
    el("div", { class: "toggles" }, hide),
    el("p", { class: "glyphs" }, GLYPHS.map(([shape, words]) => el("span", {}, pictured(shape), words))),
    el("p", { class: "chooser" }, el("label", { for: "chosen" }, "Possible positions of "), chooser),
    note,
  );

  // The possible positions of the selected item, in words.
  function known(frame, chosen) {
    if (chosen === null) return "Choose a thing here or on the map.";
    const found = heat.summary(frame, chosen);
    const since = frame.phase === "revise";
    if (!found) return since ? "No evidence since the change." : "No evidence so far: any position is possible.";
    const best = point([found.best.x, found.best.y]);
    const cells = found.count === 1 ? "One cell" : `${found.count} cells`;
    const off = found.off > 0.0005 ? ` ${percent(found.off)} of it lies off this map.` : "";
    if (since) return `${cells} possible given the evidence since the change.${off}`;
    if (found.count === 1) return `Certain: ${best}.${off}`;
    return `${cells}, ${found.bits.toFixed(1)} bits; most likely ${best} at ${percent(found.best.chance)}.${off}`;
  }

  store.listen((now) => {
    for (const [name] of LAYERS) byId(`layer-${name}`).checked = now.layers[name];
    fair.checked = now.fair;
    chooser.value = now.chosen ?? "";
    note.textContent = known(store.frame(), now.chosen);
  });

  Replay.LAYERS = LAYERS;
})();
