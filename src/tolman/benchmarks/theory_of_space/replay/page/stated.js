// The stated map drawn on the floor plan; during a revision also the last map before the change.
"use strict";
(() => {
  const { svg, store, episode, map, marks, point, verdicts } = Replay;
  const dim = (i) => store.state.chosen !== null && store.state.chosen !== i;

  function noted(mark, i, words) {
    mark.dataset.item = i;
    mark.classList.toggle("dim", dim(i));
    mark.prepend(svg("title", {}, `${episode.items[i].name}, ${words}`));
    return mark;
  }

  // A line from a stated position to the true one.
  function error([i, x, y, , verdict], frame) {
    const [[fromX, fromY], [toX, toY]] = [map.held([x, y]), frame.items[i].at];
    const line = svg("path", { d: `M${fromX} ${-fromY} L${toX} ${-toY}`, class: `error ${verdict}` });
    line.classList.toggle("dim", dim(i));
    return line;
  }

  function position([i, x, y, facing, verdict]) {
    const mark = map.inside([x, y]) ? marks.stated([x, y], facing, verdict) : marks.beyond(map.held([x, y]), [x, y]);
    return noted(mark, i, `stated at ${point([x, y])}: ${verdicts[verdict]}`);
  }

  // The stated position of the agent, if it is wrong.
  function self(frame) {
    const [x, y, facing] = frame.map?.agent ?? [...frame.at, frame.heading];
    if (x === frame.at[0] && y === frame.at[1] && (facing ?? frame.heading) === frame.heading) return [];
    const turn = marks.turned(facing ?? frame.heading);
    const mark = svg("g", { class: "stated self", transform: marks.at(map.held([x, y]), turn) });
    mark.append(svg("title", {}, `stated position of the agent: ${point([x, y])}`), marks.agent("glyph hollow"));
    return [mark];
  }

  // The map of a frame, or where none was asked for the one before it. Hidden things get no line.
  function draw(frame, hidden) {
    const earlier = !frame.map && episode.latestMap(frame);
    const said = (earlier || frame).map?.said ?? [];
    const wrong = said.filter(([i, , , , verdict]) => verdict !== "right" && !hidden(i));
    map.layers.said.classList.toggle("earlier", Boolean(earlier));
    map.layers.said.replaceChildren(...wrong.map((one) => error(one, frame)), ...said.map(position), ...self(frame));
  }

  // ---- before the change ----

  function move([i, item]) {
    const [[fromX, fromY], [toX, toY]] = [episode.before[i].at, item.at];
    return svg("path", { d: `M${fromX} ${-fromY} L${toX} ${-toY}`, class: "move" });
  }

  function old([i, x, y, facing]) {
    const mark = marks.stated(map.held([x, y]), facing, "unlucky");
    mark.classList.add("old");
    return noted(mark, i, `in the last map before the change, at ${point([x, y])}`);
  }

  // Old true and old stated positions of what changed.
  function drawBefore(frame) {
    if (frame.phase !== "revise") return map.layers.before.replaceChildren();
    const changed = Object.entries(episode.changed);
    const moved = changed.filter(([, item]) => item.how === "position");
    const believed = (episode.revision?.old ?? []).filter(([i]) => episode.changed[i]);
    const ghosts = changed.map(([i]) => marks.item(episode.before[i], "ghost"));
    map.layers.before.replaceChildren(...moved.map(move), ...ghosts, ...believed.map(old));
  }

  Replay.stated = { draw, drawBefore };
})();
