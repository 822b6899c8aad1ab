// The grid on which a person draws: a notebook, or the map that a page asks for.

import { drawPaper, drawTokens, frameSheet } from "./drawing.js";
import { instruments } from "./instruments.js";

const figure = document.querySelector("[data-grid]");
const svg = figure.querySelector("svg");
const list = figure.querySelector(".names");
const said = figure.querySelector(".said");
const given = JSON.parse(figure.querySelector("[data-values]").textContent);

const FACINGS = given.frame === "local" ? ["+y", "+x", "-y", "-x"] : ["north", "east", "south", "west"];
const WAYS = given.frame === "local" ? ["ahead", "right", "back", "left"] : FACINGS;
const EXTENTS = [6, 8, 10, 12, 15, 20, 25, 30, 40, 60];
const ARROWS = { ArrowUp: [0, 1], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowLeft: [-1, 0] };
const STEPS = { north: [0, 1], east: [1, 0], south: [0, -1], west: [-1, 0] };

const items = new Map(given.items.map((item) => [item.name, item]));
const places = new Map(Object.entries(given.places).map(([name, [x, y, facing]]) => [name, { x, y, facing }]));
let selected = [...items.keys()].find((name) => !places.has(name)) ?? [...items.keys()][0];
let extent = widest(10);

function widest(least) {
  const reach = [...places.values()].map(({ x, y }) => Math.max(Math.abs(x), Math.abs(y)));
  return EXTENTS.find((size) => size >= Math.max(least, ...reach)) ?? given.largest;
}

// ---- what the map says ----

function entries() {
  const shown = {};
  for (const name of items.keys()) {
    const place = places.get(name);
    if (!place) continue;
    shown[name] = { position: [place.x, place.y] };
    if (place.facing !== null) shown[name].facing = FACINGS[place.facing];
  }
  return shown;
}

const asReply = () => JSON.stringify(given.frame === "local" ? { origin: "agent", objects: entries() } : entries());

function fromReply(text) {
  let told;
  try {
    told = JSON.parse(text);
  } catch {
    return;
  }
  places.clear();
  for (const [name, entry] of Object.entries((given.frame === "local" ? told?.objects : told) ?? {})) {
    const [x, y] = entry?.position ?? [];
    const facing = FACINGS.indexOf(entry?.facing);
    if (items.has(name) && Number.isInteger(x) && Number.isInteger(y)) {
      places.set(name, { x, y, facing: facing < 0 ? null : facing });
    }
  }
  draw();
}

// ---- drawing ----

const where = ({ x, y, facing }) =>
  `(${x}, ${y})`.replaceAll("-", "−") + (facing === null ? "" : ` ${WAYS[facing]}`);
const shownName = (name) => (items.get(name).kind === "agent" ? "you" : name);

function draw() {
  const font = frameSheet(svg, extent);
  const shown = [...places].filter(([name]) => items.has(name)).map(([name, place]) => [items.get(name), place]);
  const paper = drawPaper(svg, extent, given.frame, font);
  svg.replaceChildren(paper, ...tools.under(extent), ...drawTokens(shown, selected, extent, font));
  for (const button of list.querySelectorAll("button")) {
    const place = places.get(button.dataset.name);
    button.setAttribute("aria-pressed", String(button.dataset.name === selected));
    button.querySelector(".at").textContent = place ? where(place) : "";
  }
  const place = places.get(selected);
  said.textContent = `${shownName(selected)}: ${place ? where(place) : "click where it is"}`;
  const missing = given.items.filter((item) => item.first && !places.has(item.name)).length;
  const note = document.querySelector("[data-unplaced]");
  if (note) note.textContent = missing ? `not placed yet: ${missing}` : "";
}

function list_names() {
  for (const item of given.items) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.name = item.name;
    button.className = `${item.kind}${item.first ? "" : " later"}`;
    for (const [kind, text] of [["letter", item.letter || "▲"], ["name", shownName(item.name)], ["at", ""]]) {
      const part = document.createElement("span");
      part.className = kind;
      part.textContent = text;
      button.append(part);
    }
    button.addEventListener("click", () => tools.pick(item.name) || select(item.name));
    const entry = document.createElement("li");
    entry.append(button);
    list.append(entry);
  }
}

// ---- doing ----

function select(name) {
  selected = name;
  draw();
}

function put(x, y) {
  const limit = given.largest;
  const [cx, cy] = [x, y].map((at) => Math.max(-limit, Math.min(limit, at)));
  places.set(selected, { x: cx, y: cy, facing: places.get(selected)?.facing ?? null });
  extent = Math.max(extent, widest(0));
  changed();
}

function nudge([dx, dy]) {
  const place = places.get(selected);
  if (place) put(place.x + dx, place.y + dy);
  else put(0, 0);
}

function turn() {
  const place = places.get(selected);
  if (!place || items.get(selected).kind === "door") return;
  place.facing = place.facing === null ? 0 : place.facing === 3 ? null : place.facing + 1;
  changed();
}

function remove() {
  places.delete(selected);
  changed();
}

function step(by) {
  const names = [...items.keys()];
  select(names[(names.indexOf(selected) + by + names.length) % names.length]);
}

function zoom(by) {
  const at = EXTENTS.indexOf(extent) + by;
  extent = EXTENTS[Math.max(0, Math.min(EXTENTS.length - 1, at))];
  draw();
}

// ---- keeping ----

const reply = document.querySelector("[data-reply]");
let saving = false;
let unsaved = false;

function changed() {
  draw();
  tools.read();
  if (given.answers && reply) reply.value = asReply();
  if (given.frame === "local") return;
  for (const field of document.querySelectorAll("[name=notebook]")) field.value = JSON.stringify(entries());
  unsaved = true;
  if (!saving) keep();
}

// One save at a time; what changed meanwhile goes with the next. A save outlives the page.
async function keep() {
  saving = true;
  while (unsaved) {
    unsaved = false;
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(entries());
    await fetch(figure.dataset.save, { method: "POST", headers, body, keepalive: true }).catch(() => {});
  }
  saving = false;
}

// ---- hands ----

svg.addEventListener("click", (event) => {
  const token = event.target.closest(".token");
  if (token && tools.pick(token.dataset.name)) return;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  const [x, y] = [Math.round(point.x), Math.round(-point.y)];
  if (token && token.dataset.name !== selected && places.has(selected)) select(token.dataset.name);
  else if (Math.max(Math.abs(x), Math.abs(y)) <= extent) put(x, y);
  svg.focus({ preventScroll: true });
});

const keys = {
  n: () => step(1),
  p: () => step(-1),
  r: turn,
  m: () => tools.begin(),
  Delete: remove,
  Backspace: remove,
  "+": () => zoom(-1),
  "=": () => zoom(-1),
  "-": () => zoom(1),
  Escape: () => svg.blur(),
};

svg.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const action = ARROWS[event.key] ? () => nudge(ARROWS[event.key]) : keys[event.key];
  if (!action) return;
  event.preventDefault();
  event.stopPropagation();
  action();
});

const actions = { turn, remove, in: () => zoom(-1), out: () => zoom(1) };
for (const button of figure.querySelectorAll("[data-do]")) {
  const name = button.dataset.do;
  button.addEventListener("click", () => (STEPS[name] ? nudge(STEPS[name]) : actions[name]()));
}
reply?.addEventListener("input", () => fromReply(reply.value));
addEventListener("resize", () => draw());
document.querySelector("[data-folds]")?.addEventListener("toggle", () => draw());

const tools = instruments(figure, { items, places, rings: given.rings, shownName, draw });
list_names();
if (given.answers && reply?.value) fromReply(reply.value);
else if (given.answers && reply) reply.value = asReply();
draw();
