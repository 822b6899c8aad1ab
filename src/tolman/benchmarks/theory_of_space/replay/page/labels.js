// Names on the map, set so that they hide nothing. Sizes are in cells.
"use strict";
(() => {
  const { svg } = Replay;
  const pen = document.createElement("canvas").getContext("2d");
  const LINE = 1.12; // height of a line in sizes of the letters
  const REACH = 0.44; // from the middle of a mark to its label

  // The ways to write a name, best first, as lines.
  function wordings(name) {
    const words = name.split(" ");
    const half = Math.ceil(words.length / 2);
    const folded = [words.slice(0, half).join(" "), words.slice(half).join(" ")].filter(Boolean);
    const short = words.map((word) => (word.length > 7 ? `${word.slice(0, 5)}.` : word)).join(" ");
    return [[name], folded, [short]];
  }

  function size(lines, letters) {
    pen.font = "100px ui-sans-serif, system-ui, sans-serif";
    const width = Math.max(...lines.map((line) => pen.measureText(line).width)) * (letters / 100);
    return [width + 0.1, letters * LINE * lines.length];
  }

  const AROUND = [[0, 1], [1, 0], [-1, 0], [0, -1], [0.8, 0.8], [-0.8, 0.8]]; // east and south, best first

  // Boxes are [left, top, right, bottom], y down.
  const around = (x, y, width, height) => [x - width / 2, y - height / 2, x + width / 2, y + height / 2];
  const overlap = (a, b) =>
    Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
  const outside = (box, frame) => (box[2] - box[0]) * (box[3] - box[1]) - overlap(box, frame);

  function candidates(item, letters) {
    const [x, y] = [item.at[0], -item.at[1]];
    return wordings(item.name).flatMap((lines, rank) => {
      const [width, height] = size(lines, letters);
      const [dx, dy] = [REACH + width / 2, REACH + height / 2];
      return AROUND.map(([east, south], i) => {
        const middle = [x + east * dx, y + south * dy];
        return { lines, middle, box: around(...middle, width, height), cost: rank * 0.12 + i * 0.03 };
      });
    });
  }

  // A place for each name; it is crowded where any would hide something. Floors are boxes of rooms by number from 1.
  function place(items, floors, sheet, letters) {
    const taken = items.map((item) => around(item.at[0], -item.at[1], 0.8, 0.8));
    return items.map((item, i) => {
      let best = null;
      for (const option of candidates(item, letters)) {
        const hidden = taken.reduce((sum, box, j) => sum + (j === i ? 0 : overlap(option.box, box)), 0);
        const off = Math.min(...item.rooms.map((room) => outside(option.box, floors[room - 1])));
        const cut = outside(option.box, sheet);
        const cost = option.cost + 8 * (hidden + cut) + 0.7 * off;
        if (!best || cost < best.total) best = { ...option, hidden: hidden + cut, total: cost };
      }
      const crowded = best.hidden > 0.12;
      if (!crowded) taken.push(best.box);
      return { ...best, crowded };
    });
  }

  // The label of one item; `crowded` ones are shown only while they are wanted.
  function draw(placed, letters, classes) {
    const [x, y] = placed.middle;
    const top = y - (letters * LINE * (placed.lines.length - 1)) / 2;
    const lines = placed.lines.map((line, i) => svg("tspan", { x, y: top + i * letters * LINE }, line));
    const name = `label ${placed.crowded ? "crowded" : ""} ${classes}`;
    return svg("text", { class: name, "font-size": letters, "stroke-width": letters * 0.3 }, lines);
  }

  Replay.labels = { place, draw };
})();
