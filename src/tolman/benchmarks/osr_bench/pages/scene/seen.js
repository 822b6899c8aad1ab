// What the model was shown: a panorama to look around in, or the views that it was cut into.
"use strict";
(() => {
  const { el, byId, look, sphere, strip } = Osr;

  function viewer(image) {
    const box = el("div", { id: "viewer", class: "viewer", tabindex: 0, role: "img" });
    const readout = el("output", { id: "heading" });
    const hint = el("span", { class: "hint" }, "Drag, or use the arrow keys");
    const round = sphere(image);
    const ways = { "Look around": round, "Whole picture": strip(image.src) };
    let shown = null;

    function show(name) {
      shown = ways[name];
      box.replaceChildren(shown.canvas);
      box.dataset.way = name === "Look around" ? "sphere" : "strip";
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.textContent === name));
      shown.draw();
    }

    const buttons = Object.keys(ways).map((name) => {
      const button = el("button", { type: "button" }, name);
      button.addEventListener("click", () => show(name));
      return button;
    });
    look.steered(box, () => shown.degrees());
    look.watch((now) => {
      shown.draw();
      box.dataset.heading = now.heading.toFixed(1);
      box.setAttribute("aria-label", `Panorama of the room, looking ${look.told()}`);
      readout.textContent = look.told();
    });
    const choice = round ? el("span", { class: "chips", role: "group", "aria-label": "How it is shown" }, buttons) : null;
    const still = el("img", { class: "still", src: image.src, alt: "Panorama of the room" });
    byId("seen").append(box, still, el("p", { class: "caption" }, readout, hint, choice));
    show(round ? "Look around" : "Whole picture");
    new ResizeObserver(() => shown.draw()).observe(box);
    look.to({ span: box.clientWidth < 500 ? 75 : Number(byId("seen").dataset.span ?? 100) });
  }

  function views(sent) {
    const figures = sent.map(([name, url]) =>
      el("figure", {}, el("img", { src: url, alt: `View ${name}` }), el("figcaption", {}, Osr.said(name))),
    );
    byId("seen").append(el("div", { class: "views" }, figures));
  }

  const seen = window.SEEN;
  if (!seen) byId("seen").append(el("p", { class: "none" }, "The log holds no picture of this scene."));
  else if (seen.views) views(seen.views);
  else {
    const image = new Image();
    image.addEventListener("load", () => viewer(image));
    image.src = seen.panorama;
  }
})();
