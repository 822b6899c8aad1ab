// Small words for making elements. Whatever a model wrote becomes text here, never markup.
"use strict";
window.Osr = {};
(() => {
  const SVG = "http://www.w3.org/2000/svg";

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === true) node.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
    return node;
  }

  const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
  const byId = (id) => document.getElementById(id);

  // Text from outside, kept from turning the direction of what stands around it.
  const said = (text) => el("bdi", {}, text);
  const percent = (share) => `${(100 * share).toFixed(1)} %`;

  // A reply with its white space; one that was too long for the page lacks its middle.
  function written(given) {
    if (given === null) return el("p", { class: "none" }, "There is no reply.");
    if (!given.text.trim() && !given.length) return el("p", { class: "none" }, "The reply is empty.");
    const box = el("pre", { class: "reply", tabindex: 0, dir: "auto" }, given.text);
    if (given.length) {
      const count = (given.length - given.text.length - given.end.length).toLocaleString("en");
      const note = `\n[${count} characters are left out here; the log has them]\n`;
      box.append(el("span", { class: "left-out" }, note), given.end);
    }
    return box;
  }

  // What the model thought before it replied, folded away: it is no part of the answer.
  function reasoning(given) {
    const length = (given.length ?? given.text.length).toLocaleString("en");
    return el("details", { class: "reasoning" }, el("summary", {}, `Reasoning, ${length} characters`), written(given));
  }

  // A reply with its reasoning, where the provider told of it.
  const reply = (given) =>
    given?.reasoning ? el("div", {}, reasoning(given.reasoning), written(given)) : written(given);

  const scene = JSON.parse(byId("scene").textContent);
  Object.assign(Osr, { el, svg, byId, said, percent, reply, scene });
})();
