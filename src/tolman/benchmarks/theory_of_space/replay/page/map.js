// The static parts of the map: walls, floors, names and the empty layers.
"use strict";
(() => {
  const { svg, byId, store, episode, marks, labels } = Replay;
  const WALL = 1.5; // cells from the middle of a room's outermost cell to the outside of its wall
  const MOST_BEYOND = 3; // cells beyond the walls that the sheet grows to hold stated positions
  const LETTERS = 11.5; // pixels
  const LEAST = 11; // pixels of a cell below which only what is in view or chosen is named

  // ---- extent: west, south, east and north edge ----

  const within = (low, value, high) => Math.max(low, Math.min(value, high));
  const edges = episode.rooms.flatMap(([x0, y0, x1, y1]) => [[x0 - WALL, y0 - WALL], [x1 + WALL, y1 + WALL]]);
  const [xs, ys] = [edges.map(([x]) => x), edges.map(([, y]) => y)];
  const [lowX, lowY, highX, highY] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const said = episode.frames.flatMap((frame) => frame.map?.said ?? []);
  for (const [, x, y] of [...said, ...(episode.revision?.old ?? [])]) {
    xs.push(within(lowX - MOST_BEYOND, x - 0.7, lowX), within(highX, x + 0.7, highX + MOST_BEYOND));
    ys.push(within(lowY - MOST_BEYOND, y - 0.7, lowY), within(highY, y + 0.7, highY + MOST_BEYOND));
  }
  const [west, south] = [Math.min(...xs) - 0.3, Math.min(...ys) - 0.3];
  const [east, north] = [Math.max(...xs) + 0.3, Math.max(...ys) + 0.3];
  const inside = ([x, y]) => x > west && x < east && y > south && y < north;
  const held = ([x, y]) => [within(west + 0.4, x, east - 0.4), within(south + 0.4, y, north - 0.4)];

  // ---- rooms ----

  function box([x0, y0, x1, y1], grow) {
    return { x: x0 - grow, y: -y1 - grow, width: x1 - x0 + 2 * grow, height: y1 - y0 + 2 * grow };
  }

  function dots([x0, y0, x1, y1]) {
    let drawn = "";
    for (let x = x0; x <= x1; x++) for (let y = y0; y <= y1; y++) drawn += `M${x} ${-y}h0`;
    return svg("path", { d: drawn, class: "dots" });
  }

  function floor(room, i) {
    const number = svg("text", { x: room[0] - 1, y: -room[3] - 1, class: "room-number" }, String(i + 1));
    return svg("g", {}, svg("rect", { ...box(room, 0.5), class: "floor" }), dots(room), number);
  }

  function compass() {
    const place = `translate(${east - 0.75} ${1.05 - north})`;
    const needle = svg("path", { d: "M0 0.5 V-0.4 M-0.16 -0.18 L0 -0.42 L0.16 -0.18" });
    return svg("g", { class: "compass", transform: place }, needle, svg("text", { y: -0.55 }, "N"));
  }

  const walls = episode.rooms.map((room) => svg("rect", { ...box(room, WALL), class: "wall" }));
  const floors = episode.rooms.map(floor);
  const clip = svg("clipPath", { id: "in-sight" });
  const layer = (name) => [name, svg("g", { class: `layer ${name}` })];
  const layers = Object.fromEntries(["heat", "view", "path", "before", "truth", "said", "names"].map(layer));
  const agent = svg("g", { class: "agent" }, marks.agent("halo"), marks.agent("body"));
  const drawing = svg(
    "svg",
    { viewBox: `${west} ${-north} ${east - west} ${north - south}`, role: "group", class: "drawing" },
    svg("title", {}, "Map of the scene, north up"),
    svg("defs", {}, clip),
    svg("g", { class: "walls" }, walls, floors),
    ...["heat", "view", "path", "before", "truth", "said"].map((name) => layers[name]),
    agent,
    layers.names,
    compass(),
  );
  byId("map").append(drawing);

  // ---- names ----

  let size = 20; // pixels of a cell
  let placed = new Map();
  const letters = () => Math.max(10, Math.min(LETTERS, size * 0.62)) / size;

  function named(items) {
    const grounds = episode.rooms.map(([x0, y0, x1, y1]) => [x0 - 0.5, -y1 - 0.5, x1 + 0.5, -y0 + 0.5]);
    const found = labels.place(items, grounds, [west, -north, east, -south], letters());
    return found.map((one) => ({ ...one, crowded: one.crowded || size < LEAST }));
  }

  function settle() {
    if (!drawing.clientWidth) return;
    size = Math.min(drawing.clientWidth / (east - west), drawing.clientHeight / (north - south));
    placed = new Map([episode.before, episode.after].map((items) => [items, named(items)]));
    store.set({});
  }

  new ResizeObserver(settle).observe(byId("map"));

  Replay.map = {
    drawing, layers, clip, agent, walls, floors, inside, held, box, letters,
    names: (items) => placed.get(items) ?? [],
    boost: () => Math.max(1, 17 / size), // what must be found at a glance is never smaller than on such a cell
  };
})();
