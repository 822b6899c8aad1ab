// The whole panorama, flat. It goes on where it ends.
"use strict";
(() => {
  function strip(url) {
    const box = Osr.el("div", { class: "strip" });
    box.style.backgroundImage = `url("${url}")`;

    function draw() {
      const wide = 2 * box.clientHeight;
      const middle = (0.5 + Osr.look.now.heading / 360) * wide;
      box.style.backgroundPosition = `${box.clientWidth / 2 - middle}px 0`;
    }

    return { canvas: box, draw, degrees: () => 180 / box.clientHeight };
  }

  Osr.strip = strip;
})();
