// The state of the page, as selected by the reader.
"use strict";
(() => {
  const listeners = [];
  const state = {
    index: 0,
    playing: false,
    speed: 1,
    layers: { truth: true, path: true, view: true, said: true, heat: true, before: true },
    fair: false,
    chosen: null, // place of a thing or door in the scene; null for all at once
  };

  // Update the state and notify listeners.
  function set(changes) {
    Object.assign(state, changes);
    for (const listen of listeners) listen(state, changes);
  }

  const toggle = (layer) => set({ layers: { ...state.layers, [layer]: !state.layers[layer] } });
  const choose = (item) => set({ chosen: state.chosen === item ? null : item });
  const frame = () => Replay.episode.frames[state.index];

  Replay.store = { state, set, toggle, choose, frame, listen: (hear) => listeners.push(hear) };
})();
