// Information gain and map scores by turn. A click goes to a turn.
"use strict";
(() => {
  const { el, svg, byId, store, episode, player } = Replay;
  const HEIGHT = 72;
  const EDGE = 8; // pixels: half of the slider's thumb
  const [TOP, BOTTOM] = [8, 62];
  const box = byId("chart");
  let width = 0;

  const across = (index) => EDGE + ((width - 2 * EDGE) * index) / Math.max(1, player.LAST);
  const up = (share) => BOTTOM - (BOTTOM - TOP) * share;
  const spot = ([index, share]) => `${across(index).toFixed(1)} ${up(share).toFixed(1)}`;
  const line = (points) => points.map((at, i) => (i ? "L" : "M") + spot(at)).join("");

  const explored = episode.frames.filter((frame) => frame.phase === "explore");
  const mapped = episode.frames.filter((frame) => typeof frame.map?.score === "number");
  const bounded = mapped.filter((frame) => typeof frame.map.ceiling === "number");
  const lost = episode.frames.filter((frame) => frame.map?.over?.length);
  const gains = explored.map((frame) => [frame.index, frame.gain]);
  const scores = mapped.map((frame) => [frame.index, frame.map.score]);
  const ceilings = bounded.map((frame) => [frame.index, frame.map.ceiling]);

  const cursor = svg("path", { class: "cursor" });
  const drawing = svg("svg", { class: "curve", height: HEIGHT, "aria-hidden": "true" });
  const keys = [
    el("span", { class: "gain" }, "information gain"),
    scores.length > 0 && el("span", { class: "score" }, "stated map"),
    ceilings.length > 0 && el("span", { class: "ceiling" }, "its ceiling"),
    lost.length > 0 && el("span", { class: "lost" }, "right belief overwritten"),
  ];
  box.append(drawing, el("p", { class: "chart-key" }, keys));

  function disc(at, name, r) {
    return svg("circle", { cx: across(at[0]), cy: up(at[1]), r, class: name });
  }

  function rule(share) {
    return svg("path", { d: `M${EDGE} ${up(share)}H${width - EDGE}`, class: "rule" });
  }

  function revision() {
    if (explored.length === episode.frames.length) return [];
    const x = across(explored.length - 0.5);
    const ground = svg("rect", { x, y: TOP, width: width - EDGE - x, height: BOTTOM - TOP });
    return [svg("g", { class: "split" }, ground, svg("text", { x: x + 5, y: BOTTOM - 5 }, "revision"))];
  }

  function draw() {
    width = box.clientWidth;
    if (!width) return;
    drawing.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    drawing.replaceChildren(
      ...[0, 0.5, 1].map(rule),
      ...revision(),
      svg("path", { d: line(ceilings), class: "ceiling" }),
      svg("path", { d: line(gains), class: "gain" }),
      svg("path", { d: line(scores), class: "score" }),
      ...gains.map((at) => disc(at, "gain", 1.8)),
      ...scores.map((at) => disc(at, "score", 2.6)),
      ...lost.map((frame) => svg("path", { d: `M${across(frame.index) - 3} 1h6l-3 5z`, class: "lost" })),
      cursor,
    );
    point();
  }

  function point() {
    if (width) cursor.setAttribute("d", `M${across(store.state.index)} ${TOP - 4}V${BOTTOM + 6}`);
  }

  drawing.addEventListener("click", (event) => {
    const share = (event.clientX - drawing.getBoundingClientRect().left - EDGE) / (width - 2 * EDGE);
    player.goto(Math.round(share * player.LAST));
  });
  new ResizeObserver(draw).observe(box);
  store.listen(point);
})();
