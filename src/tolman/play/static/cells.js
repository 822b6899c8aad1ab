// The grid of square cells on which a person puts the objects of a room; or a map to look at, with or without the truth.

import { placed as captionsOf } from "./captions.js";
import { element, frameSheet } from "./drawing.js";

for (const figure of document.querySelectorAll("[data-cells]")) begin(figure);

function begin(figure) {
  const svg = figure.querySelector("svg");
  const list = figure.querySelector(".names");
  const said = figure.querySelector(".said");
  const given = JSON.parse(figure.querySelector("[data-values]").textContent);
  const form = document.querySelector("[data-map-form]");
  const { size, edit } = given;
  const letters = new Map(given.items.map(({ name, letter }) => [name, letter]));
  const objects = given.placed.map(([name, x, y, verdict]) => ({ name, x, y, verdict: verdict ?? "" }));
  const truth = given.truth?.map(([name, x, y]) => ({ name, x, y, verdict: "true" })) ?? [];
  let chosen = given.items[0]?.name ?? "";
  let selected = null;
  let dragged = null;

  // ---- drawing: cells are one unit, the middle of the grid is the origin, and y goes up ----

  const half = size / 2;
  const across = ({ x }) => Math.min(size + 0.2, Math.max(-0.2 - 1, x)) + 0.5 - half;
  const above = ({ y }) => half - 0.5 - Math.min(size + 0.2, Math.max(-0.2 - 1, y));

  // Objects that share a cell stand around its middle.
  function spread(all) {
    const cells = new Map();
    for (const each of all) {
      const key = `${across(each)} ${above(each)}`;
      cells.set(key, [...(cells.get(key) ?? []), each]);
    }
    const places = new Map();
    for (const shared of cells.values()) {
      const radius = shared.length === 1 ? 0 : 0.29;
      shared.forEach((each, at) => {
        const angle = (2 * Math.PI * at) / shared.length + Math.PI * 0.75;
        places.set(each, { x: across(each) + radius * Math.cos(angle), y: above(each) + radius * Math.sin(angle) });
      });
    }
    return { places, crowded: (each) => cells.get(`${across(each)} ${above(each)}`).length > 1 };
  }

  function paper(font) {
    const sheet = element("g", { class: "paper" });
    sheet.append(element("rect", { x: -half, y: -half, width: size, height: size, class: "sheet" }));
    const every = size > 20 ? 5 : 1;
    for (let at = 0; at < size; at += 1) {
      if (at) sheet.append(element("path", { d: `M${at - half} ${-half}V${half}M${-half} ${at - half}H${half}`, class: "rule" }));
      if (at % every) continue;
      const middle = at + 0.5 - half;
      sheet.append(element("text", { x: middle, y: half + font * 1.2, "font-size": font, class: "tick" }, String(at)));
      sheet.append(element("text", { x: -half - font * 0.4, y: middle + font * 0.35, "font-size": font, class: "tick side" }, String(at)));
    }
    const ahead = figure.dataset.ahead;
    if (ahead) sheet.append(element("text", { x: 0, y: -half - font * 0.6, "font-size": font, class: "up" }, ahead));
    return sheet;
  }

  function token(each, { x, y }, radius) {
    const kind = each.verdict === "true" ? "true" : `object ${each.verdict}`;
    const drawn = element("g", { class: `token ${kind}${each === selected ? " selected" : ""}`, transform: `translate(${x} ${-y})` });
    drawn.append(element("circle", { r: radius }));
    if (each.verdict !== "true") {
      const letter = letters.get(each.name) ?? "?";
      const small = radius * (letter.length > 1 ? 0.8 : 1.1);
      drawn.append(element("text", { y: small * 0.36, "font-size": small, class: "letter" }, letter));
    }
    drawn.addEventListener("pointerdown", (event) => hold(event, each));
    return drawn;
  }

  function draw() {
    const font = frameSheet(svg, half - 0.5);
    const all = [...truth, ...objects];
    const { places, crowded } = spread(all);
    const radius = (each) => (crowded(each) ? 0.21 : 0.32);
    const links = given.links.map(([stated, real]) => {
      const [from, to] = [places.get(objects[stated]), places.get(truth[real])];
      return element("path", { d: `M${from.x} ${-from.y}L${to.x} ${-to.y}`, class: `link ${objects[stated].verdict}` });
    });
    const tokens = all.map((each) => {
      const place = places.get(each);
      const caption = each.verdict === "found" ? "" : each.name; // the true object beside it has the name
      return { ...place, radius: radius(each), caption, facing: null, leans: place.x > half / 2 };
    });
    const captions = captionsOf(tokens, font, half + 0.4).map(({ x, y, anchor }, at) => {
      const kind = `caption ${all[at].verdict}${all[at] === selected ? " selected" : ""}`;
      return element("text", { x, y, "text-anchor": anchor, "font-size": font, class: kind }, tokens[at].caption);
    });
    const drawn = all.map((each) => token(each, places.get(each), radius(each)));
    svg.replaceChildren(paper(font), ...links, ...captions, ...drawn);
    if (edit) tell();
  }

  // ---- telling ----

  const countOf = (name) => objects.filter((each) => each.name === name).length;

  function tell() {
    for (const button of list.querySelectorAll("button")) {
      const count = countOf(button.dataset.name);
      button.setAttribute("aria-pressed", String(button.dataset.name === chosen));
      button.querySelector(".at").textContent = count ? `× ${count}` : "";
    }
    const where = selected && `${selected.name}: column ${selected.x}, row ${selected.y}`;
    said.textContent = where || (chosen ? `${chosen}: click where its middle is` : "");
    for (const button of figure.querySelectorAll("[data-do]:not([data-do=add])")) button.disabled = !selected;
    const note = document.querySelector("[data-placed]");
    if (note) note.textContent = `${objects.length} placed`;
  }

  function listNames() {
    for (const { name, letter } of given.items) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.name = name;
      for (const [kind, text] of [["letter", letter], ["name", name], ["at", ""]]) {
        const part = document.createElement("span");
        part.className = kind;
        part.textContent = text;
        button.append(part);
      }
      button.addEventListener("click", () => choose(name));
      const entry = document.createElement("li");
      entry.append(button);
      list.append(entry);
    }
  }

  // ---- doing ----

  const inside = (at) => Math.max(0, Math.min(size - 1, at));

  function choose(name) {
    chosen = name;
    selected = null;
    draw();
  }

  function step(by) {
    const names = [...letters.keys()];
    choose(names[(names.indexOf(chosen) + by + names.length) % names.length]);
  }

  function add(x = Math.floor(half), y = Math.floor(half)) {
    if (!chosen) return;
    selected = { name: chosen, x: inside(x), y: inside(y), verdict: "" };
    objects.push(selected);
    changed();
  }

  function nudge([dx, dy]) {
    if (!selected) {
      if (!countOf(chosen)) add();
      else select(objects.findLast((each) => each.name === chosen));
      return;
    }
    Object.assign(selected, { x: inside(selected.x + dx), y: inside(selected.y + dy) });
    changed();
  }

  function remove() {
    if (!selected) return;
    objects.splice(objects.indexOf(selected), 1);
    selected = null;
    changed();
  }

  function select(each) {
    selected = each;
    chosen = each.name;
    draw();
  }

  // ---- keeping ----

  let saving = false;
  let unsaved = false;
  const reply = form?.querySelector("[name=reply]");

  function stated() {
    const map = {};
    for (const { name, x, y } of objects) (map[name] ??= []).push([x, y]);
    return JSON.stringify(map);
  }

  function numbered() {
    const counts = {};
    const entries = {};
    for (const { name, x, y } of objects) {
      counts[name] = (counts[name] ?? 0) + 1;
      entries[`${name} ${counts[name]}`] = { position: [x, y] };
    }
    return entries;
  }

  function changed() {
    draw();
    reply.value = stated();
    unsaved = true;
    if (!saving) keep();
  }

  // One save at a time; what changed meanwhile goes with the next. A save outlives the page.
  async function keep() {
    saving = true;
    while (unsaved) {
      unsaved = false;
      const headers = { "content-type": "application/json" };
      await fetch(figure.dataset.save, { method: "POST", headers, body: JSON.stringify(numbered()), keepalive: true }).catch(() => {});
    }
    saving = false;
  }

  // ---- hands ----

  function cell(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [Math.floor(point.x + half), Math.floor(point.y + half)];
  }

  function hold(event, each) {
    if (!edit || event.button !== 0 || each.verdict === "true") return;
    dragged = each;
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  function drop(event) {
    const [x, y] = cell(event);
    const within = x >= 0 && y >= 0 && x < size && y < size;
    const each = dragged;
    dragged = null;
    if (each && within && (each.x !== x || each.y !== y)) {
      Object.assign(each, { x, y });
      selected = each;
      chosen = each.name;
      changed();
    } else if (each) select(each);
    else if (within) add(x, y);
    svg.focus({ preventScroll: true });
  }

  const ARROWS = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] };
  const STEPS = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] };
  const keys = { n: () => step(1), p: () => step(-1), Enter: () => add(), a: () => add(), Delete: remove, Backspace: remove, Escape: () => svg.blur() };
  const actions = { add: () => add(), remove };

  if (edit) {
    listNames();
    if (!reply.value) reply.value = stated();
    svg.addEventListener("pointerup", (event) => event.button === 0 && drop(event));
    svg.addEventListener("pointercancel", () => (dragged = null));
    svg.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const action = ARROWS[event.key] ? () => nudge(ARROWS[event.key]) : keys[event.key];
      if (!action) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    });
    for (const button of figure.querySelectorAll("[data-do]")) {
      const name = button.dataset.do;
      button.addEventListener("click", () => (STEPS[name] ? nudge(STEPS[name]) : actions[name]()));
    }
  }
  addEventListener("resize", draw);
  figure.closest("details")?.addEventListener("toggle", draw);
  draw();
}
