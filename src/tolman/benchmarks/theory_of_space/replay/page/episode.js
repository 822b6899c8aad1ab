// The episode of this page: what each frame adds to those before it.
"use strict";
(() => {
  const data = JSON.parse(Replay.byId("episode").textContent);
  const side = 2 * data.extent + 1;

  // Things and doors as they are while a frame's phase lasts.
  const before = data.items;
  const after = data.items.map((item, i) => (data.changed[i] ? { ...item, ...data.changed[i] } : item));

  function unpack(packed) {
    const cells = [];
    for (let i = 0; i < packed.length; i += 2) {
      const row = Math.floor(packed[i] / side);
      cells.push({ x: (packed[i] % side) - data.extent, y: row - data.extent, chance: packed[i + 1] / 1000 });
    }
    return cells;
  }

  // Every frame with all that had happened in its phase by then.
  let heat = new Map();
  let seen = new Map();
  let path = [];
  let entered = new Set(); // rooms the agent was in, or saw something of
  const frames = data.frames.map((frame, index) => {
    if (frame.number === 0) [heat, path] = [new Map(), [frame.at]];
    if (frame.number === 0 && frame.phase === "revise") seen = new Map();
    heat = new Map([...heat, ...Object.entries(frame.heat).map(([i, packed]) => [Number(i), unpack(packed)])]);
    path = [...path, ...(frame.steps ?? [])];
    seen = new Map(seen);
    for (const i of frame.view ?? []) if (!seen.has(i)) seen.set(i, frame.number);
    const things = (frame.view ?? []).map((i) => before[i]).filter((item) => !item.axis);
    entered = new Set([...entered, ...frame.rooms, ...things.flatMap((item) => item.rooms)]);
    const items = frame.phase === "revise" ? after : before;
    const key = frame.phase === "revise" ? `r${frame.number}` : String(frame.number);
    const [view, looked] = [frame.view ?? [], Boolean(frame.view)];
    return { ...frame, index, key, heat, path, seen, entered, items, view, looked };
  });

  const lastOf = (phase) => frames.filter((frame) => frame.phase === phase).length - 1;

  // The last map that was stated in this phase up to a frame.
  function latestMap(frame) {
    for (let i = frame.index; i >= 0 && frames[i].phase === frame.phase; i--) if (frames[i].map?.said) return frames[i];
    return null;
  }

  Replay.episode = { ...data, frames, before, after, lastOf, latestMap };
})();
