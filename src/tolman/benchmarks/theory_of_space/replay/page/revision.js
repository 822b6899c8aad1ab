// The changes: whether each was seen again, is in the stated map, and was reported.
"use strict";
(() => {
  const { el, said, episode, lastOf, point, percent, HEADINGS, changes } = { ...Replay, lastOf: Replay.episode.lastOf };
  const BELIEFS = { new: "updated", old: "still the old one", other: "neither old nor true", gone: "not on the map" };

  function change(i) {
    const [was, is] = [episode.before[i], episode.changed[i]];
    if (is.how === "position") return `moved from ${point(was.at)} to ${point(is.at)}`;
    return `turned from ${HEADINGS[was.front]} to ${HEADINGS[is.front]}`;
  }

  function row({ item, seen, belief }, reported) {
    const state = belief === null ? "no map" : BELIEFS[belief];
    return el("tr", { class: belief === "new" ? "right" : "" },
      el("th", { scope: "row" }, episode.items[item].name, el("small", {}, ` ${change(item)}`)),
      el("td", {}, seen ? "yes" : "not yet"), el("td", {}, state),
      reported && el("td", {}, reported(item)));
  }

  function told(item) {
    const { name, how } = episode.changed[item];
    const reports = episode.revision.reported.filter(([of]) => of === name).map(([, as]) => as);
    if (!reports.length) return "not reported";
    return reports.includes(how) ? "reported" : `reported as ${reports.map((as) => changes[as] ?? as).join(", ")}`;
  }

  // Reports about things that did not change.
  function inventions() {
    const real = Object.values(episode.changed).map((item) => item.name);
    const made = episode.revision.reported.filter(([name]) => !real.includes(name));
    if (!made.length) return null;
    const names = made.flatMap(([name, how], i) => [i ? ", " : "", said(name), ` (${changes[how] ?? how})`]);
    return el("p", { class: "bad" }, "Reported, but unchanged: ", names, ".");
  }

  Replay.revised = (frame) => {
    if (frame.phase !== "revise" || !episode.revision) return null;
    const { turns, forced, f1 } = episode.revision;
    const start = Object.keys(episode.changed).map((i) => ({ item: Number(i), seen: false, belief: null }));
    const rows = frame.number ? turns[frame.number - 1] : start;
    const over = frame.number === lastOf("revise");
    const heads = ["What changed", "Seen again", "Belief", ...(over ? ["Report"] : [])];
    const table = el("table", {},
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", {}, rows.map((known) => row(known, over && told))));
    const end = over && (forced
      ? el("p", { class: "bad" }, "The turn budget was exhausted; nothing was reported.")
      : el("p", {}, `Changes reported correctly (F1): ${f1 === null ? "–" : percent(f1)}`));
    const parts = [el("div", { class: "wide" }, table), over && inventions(), end];
    return el("section", { class: "changes" }, el("h3", {}, "Changes"), parts);
  };
})();
