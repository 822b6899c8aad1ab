// The keyboard.
"use strict";
(() => {
  const { el, byId, store, player, LAYERS } = Replay;
  const KEYS = [
    ["←", "→", "previous, next turn"], ["Home", "End", "first, last turn"], ["Space", "", "play or pause"],
    ...LAYERS.map(([, title], i) => [String(i + 1), "", `show or hide: ${title.toLowerCase()}`]),
    ["f", "", "hide what the agent has not seen yet"], ["Esc", "", "possible positions of everything"], ["?", "", "these keys"],
  ];
  for (const [a, b, words] of KEYS) {
    const keys = el("dt", {}, el("kbd", {}, a), b && [" ", el("kbd", {}, b)]);
    byId("key-list").append(el("div", {}, keys, el("dd", {}, words)));
  }

  const dialog = byId("keys");
  byId("help").addEventListener("click", () => dialog.showModal());

  const ACTIONS = {
    ArrowLeft: () => player.goto(store.state.index - 1),
    ArrowRight: () => player.goto(store.state.index + 1),
    Home: () => player.goto(0),
    End: () => player.goto(player.LAST),
    " ": player.play,
    f: () => store.set({ fair: !store.state.fair }),
    Escape: () => store.set({ chosen: null }),
    "?": () => dialog.showModal(),
  };
  LAYERS.forEach(([name], i) => (ACTIONS[String(i + 1)] = () => store.toggle(name)));

  // Keys that a focused control needs for itself.
  function taken(target, key) {
    if (target.closest("select, textarea, input:not([type=range]):not([type=checkbox])")) return true;
    if (key === " ") return target.closest("button, a, summary, input") !== null;
    return target.closest("input[type=range]") !== null && key.length > 1;
  }

  addEventListener("keydown", (event) => {
    const action = ACTIONS[event.key];
    const elsewhere = dialog.open || event.ctrlKey || event.altKey || event.metaKey;
    if (!action || elsewhere || taken(event.target, event.key)) return;
    event.preventDefault();
    action();
  });
})();
