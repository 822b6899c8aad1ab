// Where one looks: degrees right of straight ahead and above the horizon, and how much is in view.
"use strict";
(() => {
  const LEVEL = { heading: 0, rise: 0, span: 100 };
  const now = { ...LEVEL };
  const watchers = [];
  const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

  function to(change) {
    Object.assign(now, change);
    now.heading = ((now.heading % 360) + 360) % 360;
    now.rise = clamp(now.rise, -75, 75);
    now.span = clamp(now.span, 40, 120);
    watchers.forEach((watcher) => watcher(now));
  }

  const by = (right, up) => to({ heading: now.heading + right, rise: now.rise + up });

  const KEYS = {
    ArrowLeft: () => by(-10, 0),
    ArrowRight: () => by(10, 0),
    ArrowUp: () => by(0, 5),
    ArrowDown: () => by(0, -5),
    "+": () => to({ span: now.span - 10 }),
    "-": () => to({ span: now.span + 10 }),
    Home: () => to(LEVEL),
  };

  // A box that is dragged, or steered by keys once it is focused. `degrees` is what one pixel is worth just now.
  function steered(box, degrees) {
    let at = null;
    box.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      at = [event.clientX, event.clientY];
      box.setPointerCapture(event.pointerId);
      box.classList.add("held");
    });
    box.addEventListener("pointermove", (event) => {
      if (!at) return;
      by((at[0] - event.clientX) * degrees(), (event.clientY - at[1]) * degrees());
      at = [event.clientX, event.clientY];
    });
    const end = () => {
      at = null;
      box.classList.remove("held");
    };
    box.addEventListener("pointerup", end);
    box.addEventListener("pointercancel", end);
    box.addEventListener("keydown", (event) => {
      if (!KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      KEYS[event.key]();
    });
  }

  // In words, such as "30° right of ahead".
  function told() {
    const turn = Math.round(now.heading > 180 ? now.heading - 360 : now.heading);
    const rise = Math.round(now.rise);
    const aside = `${Math.abs(turn)}° ${turn > 0 ? "right" : "left"} of ahead`;
    const where = { 0: "straight ahead", 180: "straight behind" }[Math.abs(turn)] ?? aside;
    return rise === 0 ? where : `${where}, ${Math.abs(rise)}° ${rise > 0 ? "up" : "down"}`;
  }

  Osr.look = { now, to, steered, told, watch: (watcher) => watchers.push(watcher) };
})();
