// Saves the map as an SVG file with its colours inlined.
"use strict";
(() => {
  const { byId, map, store, episode } = Replay;
  const STYLES = [
    "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap",
    "stroke-linejoin", "opacity", "display", "vector-effect", "font-family", "font-size", "font-weight",
    "text-anchor", "dominant-baseline", "paint-order",
  ];

  function copied() {
    const copy = map.drawing.cloneNode(true);
    const originals = [map.drawing, ...map.drawing.querySelectorAll("*")];
    [copy, ...copy.querySelectorAll("*")].forEach((node, i) => {
      const look = getComputedStyle(originals[i]);
      for (const name of STYLES) node.style.setProperty(name, look.getPropertyValue(name));
    });
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.style.background = getComputedStyle(document.body).backgroundColor;
    return new XMLSerializer().serializeToString(copy);
  }

  byId("save").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([copied()], { type: "image/svg+xml" }));
    link.download = `scene-${episode.scene}-turn-${store.frame().key}.svg`.replace(/[^\w.-]/g, "_");
    link.click();
    URL.revokeObjectURL(link.href);
  });
})();
