// Pictures that the model was sent. Each is loaded with its turn, and the next one ahead of time.
"use strict";
(() => {
  const { el } = Replay;

  function picture({ file, width, height }, alt) {
    return el("img", { src: file, width, height, alt, title: alt, loading: "lazy", decoding: "async" });
  }

  function pictures(given, alts) {
    return el("div", { class: "pictures" }, given.pictures.map((one, i) => picture(one, alts[i] ?? "")));
  }

  function fetchAhead(frame) {
    for (const { file } of frame?.pictures ?? []) new Image().src = file;
  }

  Object.assign(Replay, { pictures, fetchAhead });
})();
