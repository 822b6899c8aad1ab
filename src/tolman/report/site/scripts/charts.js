// Figures, drawn when they come into view, in the colours of the page.
"use strict";
(() => {
  const config = JSON.parse(document.getElementById("chart-config").textContent);
  const drawn = new Set();

  // Names of colours, such as --ink, become the colours that the page has just now.
  const coloured = (value, css) => {
    if (typeof value === "string") return value.startsWith("--") ? css.getPropertyValue(value).trim() : value;
    if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, coloured(part, css)]));
  };

  const draw = async (chart) => {
    drawn.add(chart);
    const text = document.getElementById(chart.dataset.spec).textContent;
    // Where the page itself says what the colours mean, no panel says it again.
    const spec = JSON.parse(text, (key, value) => (key === "legend" && chart.dataset.keyed ? null : value));
    const css = getComputedStyle(document.documentElement);
    const options = { actions: false, renderer: "svg", ast: true, config: coloured(config, css) };
    try {
      await vegaEmbed(chart, spec, options);
      chart.dataset.drawn = "yes";
    } catch (error) {
      console.error(`${chart.dataset.spec}: ${error}`);
    }
  };

  const watch = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) {
        if (isIntersecting && !drawn.has(target)) draw(target);
      }
    },
    { rootMargin: "300px" },
  );
  document.querySelectorAll(".chart").forEach((chart) => watch.observe(chart));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawn.forEach(draw));
})();
