// The stated map over the truth, turned as it fits best: rings are there, other marks are stated, lines join the two.
"use strict";
(() => {
  const { el, svg, byId, scene, grid } = Osr;
  const RING = "M-.17 0a.17 .17 0 1 0 .34 0a.17 .17 0 1 0 -.34 0z";
  const GLYPHS = {
    truth: RING,
    missed: RING,
    found: "M-.14 .01L-.04 .12L.15 -.12",
    far: "M-.12 -.12L.12 .12M.12 -.12L-.12 .12",
    extra: "M0 -.17L.17 0L0 .17L-.17 0z",
    invented: "M0 -.19L.19 0L0 .19L-.19 0z",
  };
  const MEANING = {
    truth: "in the room",
    missed: "in the room, and missed",
    found: "stated, within 2 cells",
    far: "stated too far away",
    extra: "stated once too often",
    invented: "stated, but no such class is there",
  };
  const ABOUT = "The map on its grid; the table beside it tells the same in numbers";
  const TIP = { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, orient: "auto", markerUnits: "userSpaceOnUse" };
  const glyph = (kind) => svg("path", { class: `glyph ${kind}`, d: GLYPHS[kind] });
  const short = (text) => (text.length > 24 ? `${text.slice(0, 23)}…` : text);

  const chosen = new Set();
  let shown = null;
  let rays = [];

  // Objects of the room are missed where none of the stated ones is near; a partner's name need not be said twice.
  function things(map) {
    const stated = (map?.stated ?? []).map((each) => ({
      ...each,
      kind: each.verdict,
      label: each.partner === null ? short(each.name) : "",
    }));
    const met = new Set(stated.filter((each) => each.kind === "found").map((each) => each.partner));
    const truth = scene.truth.map((each, i) => ({
      ...each,
      kind: map?.read && !met.has(i) ? "missed" : "truth",
      label: short(each.name),
    }));
    grid.spread([...truth, ...stated]);
    return { truth, stated };
  }

  function mark(each) {
    const off = each.distance === null || each.distance === undefined ? "" : `, ${each.distance.toFixed(1)} cells off`;
    const [row, column] = each.at;
    const title = `${each.name}: ${MEANING[each.kind]}${off} (column ${column}, row ${row})`;
    const place = each.xy.map((value) => value.toFixed(3)).join(" ");
    return svg("g", { class: "mark", "data-name": each.name, transform: `translate(${place})` },
      svg("title", {}, title), svg("circle", { class: "target", r: 0.3 }), glyph(each.kind));
  }

  const line = ([x1, y1], [x2, y2], attributes) => svg("line", { x1, y1, x2, y2, ...attributes });

  function joined(each, truth) {
    return line(each.xy, truth[each.partner].xy, { class: `join ${each.kind}`, "data-name": each.name });
  }

  // From where a question stands to what it faces and seeks.
  function ray([from, to], i, truth) {
    const at = (end) => truth.find((each) => each.name === end.name && each.at.join() === end.at.join()).xy;
    return line(at(from), at(to), { class: `ray ray-${i}`, "marker-end": "url(#tip)" });
  }

  function key(all) {
    const kinds = Object.keys(MEANING).filter((kind) => all.some((each) => each.kind === kind));
    return kinds.map((kind) => {
      const count = all.filter((each) => each.kind === kind).length;
      const picture = svg("svg", { viewBox: "-.25 -.25 .5 .5", "aria-hidden": "true" }, glyph(kind));
      return el("li", {}, picture, MEANING[kind], el("small", {}, ` ${count}`));
    });
  }

  function draw() {
    const home = byId("map");
    const { truth, stated } = things(shown);
    const unit = grid.wide / Math.max(240, home.clientWidth || 520);
    const tip = svg("marker", { ...TIP, markerWidth: 12 * unit, markerHeight: 12 * unit }, svg("path", { d: "M0 0L8 4L0 8z" }));
    const pairs = stated.filter((each) => each.partner !== null);
    home.replaceChildren(
      svg("svg", { viewBox: grid.box, role: "img", "aria-label": ABOUT },
        svg("defs", {}, tip),
        grid.grid(),
        svg("g", { class: "joins" }, pairs.map((each) => joined(each, truth))),
        svg("g", { class: "marks" }, truth.map(mark), stated.map(mark)),
        Osr.labels([...truth, ...stated], unit),
        svg("g", { class: "rays" }, rays.map((each, i) => ray(each, i, truth)))),
    );
    byId("key").replaceChildren(...key([...truth, ...stated]));
    light();
  }

  // What is chosen stands out.
  function light() {
    for (const node of byId("map").querySelectorAll("[data-name]")) {
      node.classList.toggle("dim", chosen.size > 0 && !chosen.has(node.dataset.name));
      node.classList.toggle("chosen", chosen.has(node.dataset.name));
    }
  }

  function choose(names, between = []) {
    chosen.clear();
    names.forEach((name) => chosen.add(name));
    const changed = rays.length || between.length;
    rays = between;
    if (changed) draw();
    else light();
  }

  function show(map) {
    shown = map;
    rays = [];
    draw();
  }

  let wide = 0;
  new ResizeObserver(([entry]) => {
    if (Math.abs(entry.contentRect.width - wide) <= 1) return;
    wide = entry.contentRect.width;
    draw();
  }).observe(byId("map"));

  Osr.map = { choose, chosen, show };
})();
