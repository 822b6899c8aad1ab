// Functions that create elements. Text of a model is inserted as text, never as markup.
"use strict";
window.Replay = {};
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

  // Text of a model, isolated so that it can't change the text direction around it.
  const said = (text) => el("bdi", {}, text);
  const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.01 ? 1 : 0)} %`;
  const score = (value) => (value === null || value === undefined ? "–" : (100 * value).toFixed(0));
  const point = ([x, y]) => `(${+x.toFixed(1)}, ${+y.toFixed(1)})`;
  const HEADINGS = ["north", "east", "south", "west"];

  const SHOWN = 20000;

  // A reply with its white space; long ones are shown in full on request.
  function written(given) {
    const whole = given.text;
    const box = el("pre", { class: "reply", tabindex: 0, dir: "auto" }, whole.slice(0, SHOWN));
    if (!whole.trim() && !given.length) return el("p", { class: "none" }, "The reply is empty.");
    if (whole.length <= SHOWN && !given.length) return box;
    const length = (given.length ?? whole.length).toLocaleString("en");
    const more = el("button", { type: "button" }, `Show all of ${length} characters`);
    more.addEventListener("click", () => {
      box.append(whole.slice(SHOWN));
      if (given.length) box.append(leftOut(given), given.end);
      more.remove();
    });
    return el("div", { class: "long" }, box, more);
  }

  function leftOut(given) {
    const count = (given.length - given.text.length - given.end.length).toLocaleString("en");
    return el("span", { class: "left-out" }, `\n[${count} characters are left out of this page; the log has them]\n`);
  }

  // The model's reasoning before the reply, collapsed.
  function reasoning(given) {
    const length = (given.length ?? given.text.length).toLocaleString("en");
    return el("details", { class: "reasoning" }, el("summary", {}, `Reasoning, ${length} characters`), written(given));
  }

  // A reply with its reasoning, where the provider returned it.
  const reply = (given) =>
    given?.reasoning ? el("div", {}, reasoning(given.reasoning), written(given)) : written(given);

  Object.assign(Replay, { el, svg, byId, said, percent, score, point, reply, HEADINGS });
})();
