// Navigation through the frames: buttons, slider, playback, and the address of a frame.
"use strict";
(() => {
  const { byId, store, episode } = Replay;
  const { state } = store;
  const LAST = episode.frames.length - 1;
  const BEAT = 1600; // milliseconds a frame stands at speed 1
  let timer = null;

  function goto(index, playing = false) {
    store.set({ index: Math.max(0, Math.min(LAST, index)), playing });
  }

  function play() {
    if (state.playing) return store.set({ playing: false });
    goto(state.index === LAST ? 0 : state.index, LAST > 0);
  }

  function beat() {
    clearTimeout(timer);
    if (state.playing) timer = setTimeout(() => goto(state.index + 1, state.index + 1 < LAST), BEAT / state.speed);
  }

  // ---- the address ----

  function readAddress() {
    const wanted = /^#turn=(r?\d+)$/.exec(location.hash)?.[1];
    const found = episode.frames.findIndex((frame) => frame.key === wanted);
    if (found >= 0 && found !== state.index) goto(found);
  }

  function writeAddress() {
    if (`#turn=${store.frame().key}` !== location.hash) history.replaceState(null, "", `#turn=${store.frame().key}`);
  }

  // ---- controls ----

  const slider = byId("slider");
  slider.max = LAST;
  slider.addEventListener("input", () => goto(Number(slider.value)));
  byId("first").addEventListener("click", () => goto(0));
  byId("back").addEventListener("click", () => goto(state.index - 1));
  byId("play").addEventListener("click", play);
  byId("next").addEventListener("click", () => goto(state.index + 1));
  byId("last").addEventListener("click", () => goto(LAST));
  byId("speed").addEventListener("change", (event) => store.set({ speed: Number(event.target.value) }));
  addEventListener("hashchange", readAddress);

  function name(frame) {
    const of = episode.lastOf(frame.phase);
    if (frame.phase === "revise") return frame.number ? `Revision, turn ${frame.number} of ${of}` : "The world changes";
    return frame.number ? `Turn ${frame.number} of ${of}` : "Before the first turn";
  }

  function short(frame) {
    const [turn, start] = frame.phase === "revise" ? ["Rev.", "Change"] : ["Turn", "Start"];
    return frame.number ? `${turn} ${frame.number} of ${episode.lastOf(frame.phase)}` : start;
  }

  store.listen((now, changes) => {
    const frame = store.frame();
    slider.value = now.index;
    slider.setAttribute("aria-valuetext", name(frame));
    byId("place").textContent = short(frame);
    byId("play").setAttribute("aria-label", now.playing ? "Pause" : "Play");
    byId("play").classList.toggle("playing", now.playing);
    for (const id of ["first", "back"]) byId(id).setAttribute("aria-disabled", now.index === 0);
    for (const id of ["next", "last"]) byId(id).setAttribute("aria-disabled", now.index === LAST);
    if ("index" in changes) writeAddress();
    if ("index" in changes || "playing" in changes || "speed" in changes) beat();
  });

  Replay.player = { goto, play, name, readAddress, LAST };
})();
