// The ideal observer's probabilities on the map: of one thing, or of all at once.
"use strict";
(() => {
  const { svg, store, episode, map, percent } = Replay;
  const key = (x, y) => `${x} ${y}`;

  // Cells with the probability of each name; only those of the selected one, if any.
  function cells(frame, chosen) {
    const found = new Map();
    for (const [item, places] of frame.heat) {
      if (chosen !== null && chosen !== item) continue;
      for (const { x, y, chance } of places) {
        if (!found.has(key(x, y))) found.set(key(x, y), { x, y, shares: [] });
        found.get(key(x, y)).shares.push([item, chance]);
      }
    }
    for (const cell of found.values()) cell.shares.sort((a, b) => b[1] - a[1]);
    return found;
  }

  // What may be in a cell, in words. After the change without probabilities.
  function words(frame, shares) {
    const told = shares.slice(0, 4).map(([item, chance]) => {
      const name = episode.items[item].name;
      return frame.phase === "revise" ? `${name} possible` : `${name} ${percent(chance)}`;
    });
    return told.join(", ") + (shares.length > 4 ? `, and ${shares.length - 4} more` : "");
  }

  function draw(frame) {
    const marks = [];
    for (const { x, y, shares } of cells(frame, store.state.chosen).values()) {
      if (!map.inside([x, y])) continue;
      const total = Math.min(1, shares.reduce((sum, [, chance]) => sum + chance, 0));
      const opacity = (0.1 + 0.75 * Math.sqrt(total)).toFixed(3);
      const note = svg("title", {}, `(${x}, ${y}): ${words(frame, shares)}`);
      marks.push(svg("rect", { x: x - 0.5, y: -y - 0.5, width: 1, height: 1, "fill-opacity": opacity }, note));
    }
    map.layers.heat.replaceChildren(...marks);
  }

  // Entropy of one position in bits, the number of cells, the most likely one, and the share off the map.
  function summary(frame, item) {
    const places = frame.heat.get(item);
    if (!places) return null;
    const total = places.reduce((sum, { chance }) => sum + chance, 0);
    const best = places.reduce((a, b) => (b.chance > a.chance ? b : a));
    const bits = places.reduce((sum, { chance }) => sum - (chance / total) * Math.log2(chance / total), 0);
    const off = places.filter(({ x, y }) => !map.inside([x, y])).reduce((sum, { chance }) => sum + chance / total, 0);
    return { count: places.length, best, bits: Math.abs(bits), off };
  }

  Replay.heat = { cells, words, draw, summary };
})();
