// Shapes on the map. One unit is one cell; y grows to the south, as on a screen.
"use strict";
(() => {
  const { svg } = Replay;
  const turned = (heading) => `rotate(${90 * heading})`;
  const at = ([x, y], more = "") => `translate(${x} ${-y}) ${more}`;

  const ARROW = "M0 -0.42 L0.27 0.32 L0 0.17 L-0.27 0.32 Z";
  const NOSE = "M-0.17 -0.31 L0 -0.5 L0.17 -0.31 Z";
  const POINTER = "M-0.12 -0.26 L0 -0.42 L0.12 -0.26";
  const TICK = "M-0.17 0.01 L-0.05 0.14 L0.18 -0.14";
  const CROSS = "M-0.14 -0.14 L0.14 0.14 M0.14 -0.14 L-0.14 0.14";

  // A thing: round without a front, else square with a nose towards its front.
  function thing(item, classes) {
    const body =
      item.front === null
        ? svg("circle", { r: 0.3, class: "body" })
        : svg("rect", { x: -0.27, y: -0.27, width: 0.54, height: 0.54, rx: 0.06, class: "body" });
    const nose = item.front !== null && svg("path", { d: NOSE, transform: turned(item.front), class: "nose" });
    return svg("g", { class: `thing ${classes}`, transform: at(item.at) }, body, nose);
  }

  // A door: a gap in the wall between two posts.
  function door(item, classes) {
    const posts = item.axis === "x" ? "M-0.5 -0.5 H0.5 M-0.5 0.5 H0.5" : "M-0.5 -0.5 V0.5 M0.5 -0.5 V0.5";
    const leaf = item.axis === "x" ? "M0 -0.5 V0.5" : "M-0.5 0 H0.5";
    return svg(
      "g",
      { class: `door ${classes}`, transform: at(item.at) },
      svg("rect", { x: -0.5, y: -0.5, width: 1, height: 1, class: "gap" }),
      svg("path", { d: posts, class: "posts" }),
      svg("path", { d: leaf, class: "leaf" }),
    );
  }

  const item = (of, classes) => ("axis" in of ? door(of, classes) : thing(of, classes));

  // Where a map puts something. The shape tells the verdict: tick, ring with a dot, cross.
  function stated(position, facing, verdict) {
    const shape =
      verdict === "right"
        ? svg("path", { d: TICK, transform: "translate(0.3 -0.3)", class: "glyph" })
        : verdict === "unlucky"
          ? [svg("circle", { r: 0.17, class: "glyph hollow" }), svg("circle", { r: 0.05, class: "dot" })]
          : svg("path", { d: CROSS, class: "glyph" });
    const pointed = verdict !== "right" && facing !== null;
    const nose = pointed && svg("path", { d: POINTER, transform: turned(facing), class: "glyph" });
    return svg("g", { class: `stated ${verdict}`, transform: at(position) }, shape, nose);
  }

  // A stated position beyond the edge: a wedge at the edge that points to it.
  function beyond(position, towards) {
    const degrees = (Math.atan2(towards[0] - position[0], towards[1] - position[1]) * 180) / Math.PI;
    const shape = svg("path", { d: "M-0.2 0.12 L0 -0.22 L0.2 0.12", class: "glyph" });
    return svg("g", { class: "stated beyond", transform: at(position, `rotate(${degrees})`) }, shape);
  }

  const agent = (classes) => svg("path", { d: ARROW, class: classes });

  Replay.marks = { item, stated, beyond, agent, at, turned, TICK, CROSS };
})();
