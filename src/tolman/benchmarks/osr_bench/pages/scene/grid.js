// The grid, and where on it things are drawn. Units are cells; row 0 is at the top.
"use strict";
(() => {
  const { svg, scene } = Osr;
  const size = scene.size;
  const MARGIN = 0.95;
  const OUTSIDE = 0.5;

  const middle = ([row, column]) => [column + 0.5, row + 0.5];

  // Beyond the grid there is a margin, where all lies that is stated to be out there.
  const held = (value) => Math.min(size + OUTSIDE, Math.max(-OUTSIDE, value));

  // Things that share a cell stand around its middle.
  function spread(things) {
    const cells = new Map();
    for (const thing of things) {
      thing.middle = middle(thing.at).map(held);
      const key = thing.middle.join();
      cells.set(key, [...(cells.get(key) ?? []), thing]);
    }
    for (const shared of cells.values()) {
      const radius = shared.length === 1 ? 0 : Math.min(0.34, 0.14 + 0.06 * shared.length);
      shared.forEach((thing, i) => {
        const angle = (2 * Math.PI * i) / shared.length - Math.PI * 0.75;
        thing.xy = [thing.middle[0] + radius * Math.cos(angle), thing.middle[1] + radius * Math.sin(angle)];
      });
    }
  }

  function grid() {
    const lines = [];
    for (let i = 0; i <= size; i += 1) lines.push(`M0 ${i}H${size}M${i} 0V${size}`);
    const numbers = [];
    for (let i = 0; i < size; i += Math.ceil(size / 20)) {
      numbers.push(svg("text", { x: i + 0.5, y: -0.22 }, i), svg("text", { x: -0.3, y: i + 0.6 }, i));
    }
    return svg("g", { class: "grid", "aria-hidden": "true" },
      svg("rect", { width: size, height: size }), svg("path", { d: lines.join("") }), numbers);
  }

  const box = [-MARGIN, -MARGIN, size + 2 * MARGIN, size + 2 * MARGIN].join(" ");
  Osr.grid = { grid, spread, middle, box, wide: size + 2 * MARGIN };
})();
