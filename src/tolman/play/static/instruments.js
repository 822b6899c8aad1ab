// A ruler and a protractor to lay on one's own map. What they read is worded by the server.

import { drawCompass, drawRuler } from "./drawing.js";

const START = "start";
const NONE = { under: () => [], read: () => {}, pick: () => false, begin: () => {} };

export function instruments(figure, { items, places, rings, shownName, draw }) {
  const [from, to] = [figure.querySelector("[data-from]"), figure.querySelector("[data-to]")];
  if (!from) return NONE;
  const around = figure.querySelector("[data-rings]");
  const reading = figure.querySelector("[data-read]");
  let picking = 0;

  const place = (name) => (name === START ? { x: 0, y: 0, facing: 0 } : places.get(name));
  const names = () => [START, ...[...items.keys()].filter((name) => places.has(name))];

  function fill(select) {
    const chosen = select.value;
    select.replaceChildren(new Option("–", ""), ...names().map((name) => option(name, chosen)));
  }
  const option = (name, chosen) => new Option(name === START ? "the start" : shownName(name), name, false, name === chosen);

  async function read() {
    fill(from);
    fill(to);
    const [a, b] = [place(from.value), place(to.value)];
    draw();
    if (!a || !b) return;
    const asked = new URLSearchParams({ x0: a.x, y0: a.y, x1: b.x, y1: b.y });
    if (a.facing !== null) asked.set("facing", a.facing);
    const answer = await fetch(`/measure?${asked}`);
    if (!answer.ok) return;
    const found = await answer.json();
    const parts = [`${found.steps} steps, ${found.distance}`, `${found.degrees}° from north, ${found.direction}`];
    if (found.seen) parts.push(`${found.ahead}° from ${from.value === START ? "north" : "its front"}, ${found.seen}`);
    reading.textContent = parts.join(" · ").replaceAll("-", (sign, at, all) => (/\d/.test(all[at + 1]) ? "−" : sign));
  }

  function under(extent) {
    const [a, b] = [place(from.value), place(to.value)];
    const shown = [];
    if (a && around.checked) shown.push(drawCompass(a, rings, a.facing, extent));
    if (a && b) shown.push(drawRuler(a, b));
    return shown;
  }

  function begin() {
    picking = 2;
    reading.textContent = "Click the first.";
  }

  function pick(name) {
    if (!picking || !places.has(name)) return false;
    (picking === 2 ? from : to).value = name;
    picking -= 1;
    if (picking) reading.textContent = "Click the second.";
    read();
    return true;
  }

  for (const select of [from, to]) select.addEventListener("change", read);
  around.addEventListener("change", draw);
  figure.querySelector("[data-begin]").addEventListener("click", begin);
  fill(from);
  fill(to);
  return { under, read, pick, begin };
}
