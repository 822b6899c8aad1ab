// The panel of one turn: actions, feedback, reply, stated map, and the numbers of the ideal observer.
"use strict";
(() => {
  const { el, byId, said, store, episode, player, reply, score, point, percent, HEADINGS, verdicts, pictures } = Replay;
  const open = { reply: true, map: false, places: false, words: false };

  // A collapsible part that keeps its state when the turn changes.
  function folding(name, title, ...content) {
    const part = el("details", { open: open[name] }, el("summary", {}, title), content);
    part.addEventListener("toggle", () => (open[name] = part.open));
    return part;
  }

  const none = (words) => el("p", { class: "none" }, words);
  const bad = (words) => el("p", { class: "bad" }, words);

  // ---- what happened ----

  function actions(frame) {
    if (frame.number === 0) return null;
    if (frame.ended === "budget") return none("The turn budget is exhausted.");
    if (frame.unread) return bad(["The reply could not be parsed as a turn.", frame.why].filter(Boolean).join(" "));
    const steps = frame.asked.map((action, i) => {
      const looked = frame.looked && action === "Observe()"; // a failed turn still observes
      const undone = frame.failed !== undefined && i >= frame.done && !looked;
      const state = !undone ? "" : frame.failed === action ? "failed" : "skipped";
      return el("li", { class: state }, el("code", {}, said(action)));
    });
    return el("ol", { class: "actions", "aria-label": "Actions" }, steps);
  }

  const inView = (frame) => frame.view.map((i) => episode.items[i].name).join(", ") || "nothing";

  const words = (text) => el("pre", { class: "told" }, text);

  // The feedback to the model and, where it got a picture, the picture with its description in words.
  function told(frame) {
    if (!frame.told) return null;
    if (frame.pictures?.length) return frame.number ? seen(frame) : calibration(frame);
    const unshown = episode.world === "vision" && frame.looked;
    const title = frame.number === 0 ? "Message before the first turn" : unshown ? "What the picture showed, in words" : "Feedback";
    return el("section", {}, el("h3", {}, title), words(frame.told));
  }

  function calibration(frame) {
    const alts = ["Distances and angles", "All objects with their names"];
    const shown = [el("h3", {}, "Calibration pictures"), pictures(frame, alts)];
    return el("section", {}, el("h3", {}, "Message before the first turn"), words(frame.told), shown);
  }

  function seen(frame) {
    const shown = pictures(frame, [`What the agent saw. In view: ${inView(frame)}.`]);
    const same = folding("words", "The picture in words, which the model did not get", words(frame.words));
    return el("section", {}, el("h3", {}, "Feedback with picture"), words(frame.told), shown, same);
  }

  function answer(frame) {
    if (frame.number === 0 || frame.ended === "budget") return null;
    if (!frame.reply) return none(`A turn of the ${episode.explorer || "explorer"}, whose log the model read.`);
    return folding("reply", "Reply", reply(frame.reply));
  }

  // ---- what could be known, and what was stated ----

  function figures(frame) {
    const map = frame.map ?? {};
    const rows = [];
    if (typeof frame.gain === "number") rows.push(["Information gain", percent(frame.gain), ""]);
    if (typeof frame.entropy === "number") rows.push(["Entropy", frame.entropy.toFixed(1), "bits"]);
    if (typeof map.score === "number") rows.push(["Stated map", score(map.score), `of ${score(map.ceiling)} possible`]);
    if (map.said) {
      const right = map.said.filter(([, , , , verdict]) => verdict === "right").length;
      rows.push(["Positions right", String(right), `of ${map.said.length} stated`]);
    }
    rows.push(["Cost so far", String(frame.cost), ""]);
    const shown = ([title, value, of]) =>
      el("div", {}, el("dt", {}, title), el("dd", {}, value, of && el("small", {}, ` ${of}`)));
    return el("dl", { class: "figures" }, rows.map(shown));
  }

  function overwritten(frame) {
    const lost = frame.map?.over ?? [];
    if (!lost.length) return null;
    const lines = lost.map(({ item, before, after, verdict, inView }) => {
      const now = after === null ? "dropped from the map" : `now at ${point(after)}, ${verdicts[verdict]}`;
      const words = `: was right at ${point(before)}, ${now}; it was ${inView ? "" : "not "}in view`;
      return el("li", {}, el("b", {}, episode.items[item].name), words);
    });
    const title = lines.length === 1 ? "Right belief overwritten" : "Right beliefs overwritten";
    return el("section", { class: "overwritten" }, el("h3", {}, title), el("ul", {}, lines));
  }

  function row([i, x, y, facing, verdict, chance], items) {
    const item = items[i];
    const off = Math.hypot(x - item.at[0], y - item.at[1]);
    const turned = facing !== null && typeof item.front === "number" && facing !== item.front;
    const note = turned && el("small", {}, ` faces ${HEADINGS[facing]}, not ${HEADINGS[item.front]}`);
    const likely = chance === null ? "–" : percent(chance);
    const cells = [[point([x, y]), note], point(item.at), off ? off.toFixed(1) : "0", verdict, likely];
    const name = el("th", { scope: "row" }, item.name);
    return { off, line: el("tr", { class: verdict }, name, cells.map((cell) => el("td", {}, cell))) };
  }

  function places(frame) {
    const rows = frame.map.said.map((one) => row(one, frame.items)).sort((a, b) => b.off - a.off);
    const heads = ["", "stated", "true", "off by", "verdict", "chance"].map((head) => el("th", { scope: "col" }, head));
    const body = el("tbody", {}, rows.map(({ line }) => line));
    const table = el("table", {}, el("thead", {}, el("tr", {}, heads)), body);
    return folding("places", "Stated map in numbers", el("div", { class: "wide" }, table));
  }

  function map(frame) {
    if (frame.number === 0) return null;
    if (!frame.map) {
      const last = episode.latestMap(frame);
      return none(`No map was asked for after this turn${last ? `; shown is the one of turn ${last.number}` : ""}.`);
    }
    const raw = folding("map", "Reply with the map", reply(frame.map.reply));
    return el("section", {}, frame.map.said ? places(frame) : bad(["A map was asked for, but none could be parsed.", frame.map.why].filter(Boolean).join(" ")), raw);
  }

  // ---- for those who listen ----

  function announce(frame) {
    const did = frame.unread ? "Unparseable reply." : (frame.asked ?? []).join(", ");
    const view = frame.looked ? ` In view: ${inView(frame)}.` : "";
    const gain = typeof frame.gain === "number" ? ` Information gain ${percent(frame.gain)}.` : "";
    byId("announced").textContent = `${player.name(frame)}. ${did}${view}${gain}`;
  }

  let shown = -1;
  store.listen((now) => {
    const frame = store.frame();
    if (now.index === shown) return;
    shown = now.index;
    byId("turn-title").textContent = player.name(frame);
    const parts = [actions, told, figures, overwritten, Replay.revised, answer, map].map((part) => part(frame));
    byId("turn").replaceChildren(...parts.filter(Boolean));
    Replay.fetchAhead(episode.frames[now.index + 1]);
    if (!now.playing) announce(frame);
  });
})();
