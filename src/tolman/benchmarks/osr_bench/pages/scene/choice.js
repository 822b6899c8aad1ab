// Which run is shown: questions, map in hand, thoughts, turn of the camera. What was not run can't be chosen.
"use strict";
(() => {
  const { el, byId, scene } = Osr;
  const GROUPS = [["questions", "asked"], ["answered with", "map"], ["replies", "think"]];
  const ORDER = { map: ["no map", "own map", "true map"], asked: ["standard", "negative"], think: ["vanilla", "think"] };
  let way = scene.ways.find((each) => each.map === "own map") ?? scene.ways[0];
  let turn = 0;

  // The way that has this value and is otherwise nearest to the present one.
  function nearest(field, value) {
    const alike = (each) => GROUPS.filter(([, name]) => each[name] === way[name]).length;
    return scene.ways.filter((each) => each[field] === value).sort((one, other) => alike(other) - alike(one))[0];
  }

  function button(text, pressed, act) {
    const made = el("button", { type: "button", "aria-pressed": String(pressed) }, text);
    made.addEventListener("click", act);
    return made;
  }

  function group(title, buttons) {
    const name = el("span", { class: "title" }, title);
    return el("div", { class: "chips", role: "group", "aria-label": title }, name, buttons);
  }

  function go(next, at = 0) {
    way = next;
    turn = Math.min(at, way.turns.length - 1);
    const name = way.turns.length > 1 ? `${way.name}/${way.turns[turn].turn}` : way.name;
    history.replaceState(null, "", `#${name}`);
    show();
  }

  function show() {
    const groups = GROUPS.map(([title, field]) => {
      const values = ORDER[field].filter((value) => scene.ways.some((each) => each[field] === value));
      const choice = (value) => button(value, way[field] === value, () => go(nearest(field, value), turn));
      return group(title, values.map(choice));
    });
    if (way.turns.length > 1) {
      const choice = (each, i) => button(`${each.turn}°`, i === turn, () => go(way, i));
      groups.push(group("camera turned", way.turns.map(choice)));
    }
    byId("choice").replaceChildren(...groups);
    const { map, answers, turn: degrees } = way.turns[turn];
    Osr.classes.show(map, way);
    Osr.questions.show(answers);
    Osr.look.to({ heading: degrees, rise: 0 });
  }

  function follow() {
    const [name, degrees] = decodeURIComponent(location.hash.slice(1)).split("/");
    const named = scene.ways.find((each) => each.name === name);
    if (named) {
      way = named;
      turn = Math.max(0, way.turns.findIndex((each) => String(each.turn) === degrees));
    }
    show();
  }

  Osr.follow = follow;
})();
