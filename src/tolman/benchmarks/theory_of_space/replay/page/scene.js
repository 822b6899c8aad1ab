// Draws one frame on the map, and describes the cell under the pointer.
"use strict";
(() => {
  const { svg, byId, store, episode, map, marks, labels, heat, stated, point, HEADINGS } = Replay;
  const { layers } = map;
  let angle = 0;

  // The option `fair` hides what the agent has not seen yet, except during a revision.
  const fair = (frame) => store.state.fair && frame.phase === "explore";
  const hidden = (frame, i) => fair(frame) && !frame.seen.has(i);

  function classes(frame, i) {
    const seen = frame.view.includes(i) ? "in-view" : frame.seen.has(i) ? "met" : "unmet";
    return `${seen} ${store.state.chosen === i ? "chosen" : ""}`;
  }

  function about(frame, item, i) {
    const facing = typeof item.front === "number" ? `, facing ${HEADINGS[item.front]}` : "";
    const turn = frame.seen.has(i) ? `first seen in turn ${frame.seen.get(i)}` : "not seen yet";
    return `${item.name} at ${point(item.at)}${facing}; ${turn}`;
  }

  function itemMark(frame, item, i) {
    const mark = marks.item(item, classes(frame, i));
    mark.dataset.item = i;
    mark.prepend(svg("title", {}, about(frame, item, i)), svg("circle", { r: 0.6, class: "target" }));
    if (episode.changed[i] && frame.phase === "revise") mark.append(svg("circle", { r: 0.56, class: "ring" }));
    return mark;
  }

  function label(frame, placed, i) {
    const name = labels.draw(placed, map.letters(), classes(frame, i));
    name.dataset.item = i;
    return name;
  }

  function drawTruth(frame) {
    const shown = (_, i) => !hidden(frame, i);
    const things = frame.items.map((item, i) => itemMark(frame, item, i));
    const names = map.names(frame.items).map((placed, i) => label(frame, placed, i));
    layers.truth.replaceChildren(...things.filter(shown));
    layers.names.replaceChildren(...names.filter(shown));
    for (const rooms of [map.walls, map.floors]) {
      rooms.forEach((room, i) => room.classList.toggle("off", fair(frame) && !frame.entered.has(i + 1)));
    }
  }

  function drawPath(frame) {
    const line = frame.path.map(([x, y]) => `${x} ${-y}`).join(" L ");
    const stop = ([x, y], i) => svg("circle", { cx: x, cy: -y, r: i ? 0.09 : 0.14, class: i ? "stop" : "start" });
    layers.path.replaceChildren(svg("path", { d: `M ${line}`, class: "way" }), ...frame.path.map(stop));
  }

  // The field of view, cut off at the walls of the room but not at their doors.
  function drawView(frame) {
    const long = 2 * episode.extent;
    const pose = marks.at(frame.at, marks.turned(frame.heading));
    const wedge = svg("path", { d: `M0 0 L${-long} ${-long} H${long} Z`, transform: pose });
    const doors = frame.items.filter((item) => item.axis && item.rooms.some((room) => frame.rooms.includes(room)));
    const boxes = [...frame.rooms.map((room) => episode.rooms[room - 1]), ...doors.map(({ at }) => [...at, ...at])];
    map.clip.replaceChildren(...boxes.map((box) => svg("rect", map.box(box, 0.5))));
    layers.view.replaceChildren(svg("g", { "clip-path": "url(#in-sight)" }, wedge));
  }

  function moveAgent(frame) {
    angle += ((((90 * frame.heading - angle) % 360) + 540) % 360) - 180;
    const [x, y] = frame.at;
    map.agent.style.transform = `translate(${x}px, ${-y}px) rotate(${angle}deg) scale(${map.boost()})`;
  }

  store.listen((now) => {
    const frame = store.frame();
    heat.draw(frame);
    drawView(frame);
    drawPath(frame);
    drawTruth(frame);
    stated.drawBefore(frame);
    stated.draw(frame, (i) => hidden(frame, i));
    moveAgent(frame);
    for (const [name, group] of Object.entries(layers)) {
      group.classList.toggle("off", !now.layers[name === "names" ? "truth" : name]);
    }
  });

  map.drawing.addEventListener("click", (event) => {
    const mark = event.target.closest("[data-item]");
    if (mark) store.choose(Number(mark.dataset.item));
  });

  // ---- what is under the pointer ----

  map.drawing.addEventListener("pointermove", (event) => {
    const { a, d, e, f } = map.drawing.getScreenCTM();
    const [x, y] = [Math.round((event.clientX - e) / a), Math.round((f - event.clientY) / d)];
    const frame = store.frame();
    const cell = store.state.layers.heat && heat.cells(frame, store.state.chosen).get(`${x} ${y}`);
    byId("readout").textContent = `(${x}, ${y})${cell ? `: ${heat.words(frame, cell.shares)}` : ""}`;
  });
  map.drawing.addEventListener("pointerleave", () => (byId("readout").textContent = ""));
})();
