// The questions with truth, reply, score and ceiling, filtered by verdict.
"use strict";
(() => {
  const { el, svg, byId, said, episode, reply, score, marks, outcomes, modes, pictures } = Replay;
  const questions = episode.questions;
  if (!questions.length) return;
  byId("questions").hidden = false;

  const GLYPHS = {
    right: marks.TICK,
    partly: "M-0.16 0.03 Q-0.08 -0.12 0 0 T0.16 -0.03",
    reasoning: marks.CROSS,
    exploration: marks.CROSS,
    unread: "M-0.16 0 H0.16",
  };

  function glyph(verdict) {
    const looks = { viewBox: "-0.3 -0.3 0.6 0.6", class: `verdict-glyph ${verdict}`, "aria-hidden": "true" };
    return svg("svg", looks, svg("path", { d: GLYPHS[verdict] }));
  }

  // ---- one question ----

  // The attribution of one point: the score, and the causes of the loss.
  function shares({ strict, reasoning, exploration, form }) {
    const lucky = reasoning < -0.004;
    return [
      ["got", strict, "scored"],
      ["reasoning", Math.max(0, reasoning), "lost to reasoning"],
      ["form", form, "format errors"],
      ["exploration", lucky ? 1 - strict : exploration, "lost to exploration"],
    ].filter(([, share]) => share > 0.004);
  }

  function bar(asked) {
    const looks = { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" };
    const drawn = svg("svg", looks);
    let x = 0;
    for (const [name, share] of shares(asked)) {
      drawn.append(svg("rect", { class: name, x, y: 0, height: 8, width: 100 * share }));
      x += 100 * share;
    }
    const words = shares(asked).map(([, share, title]) => `${title} ${score(share)}`).join(", ");
    const luck = asked.reasoning < -0.004 ? `; ${score(-asked.reasoning)} above expectation, by luck` : "";
    return el("div", { class: "shares" }, drawn, el("p", {}, words + luck));
  }

  function facts(asked) {
    const rows = [
      ["Truth", said(asked.truth)],
      ["Read", asked.read ? said(asked.read) : el("i", {}, ["unparseable.", asked.why].filter(Boolean).join(" "))],
      ["Score", `${score(asked.strict)} strict, ${score(asked.published)} published`],
    ];
    if (asked.verdict) {
      rows.push(["Ceiling", `${score(asked.ceiling)}: expected score of the best reply given the same evidence`]);
      rows.push(["Best reply", said(asked.best)]);
    }
    const shown = ([title, value]) => el("div", {}, el("dt", {}, title), el("dd", {}, value));
    return el("dl", { class: "facts" }, rows.map(shown));
  }

  // The question, with its picture at the place it had in the prompt.
  function text(asked) {
    const words = (part) => el("pre", { class: "told" }, part.trim());
    if (!asked.pictures?.length) return words(asked.text);
    const [before, ...after] = asked.text.split("<image>");
    return el("div", {}, words(before), pictures(asked, ["The view in question"]), words(after.join("")));
  }

  function inside(asked) {
    const raw = el("details", {}, el("summary", {}, "Reply"), reply(asked.reply));
    const answer = el("div", {}, facts(asked), asked.verdict && bar(asked), raw);
    return el("div", { class: "answer" }, text(asked), answer);
  }

  function question(asked) {
    const verdict = asked.verdict ?? (asked.strict >= 0.999 ? "right" : asked.strict > 0 ? "partly" : "reasoning");
    const ceiling = asked.verdict && el("small", {}, ` of ${score(asked.ceiling)}`);
    const mode = modes[asked.mode] && el("small", {}, ` ${modes[asked.mode]}`);
    const title = el(
      "summary",
      {},
      glyph(verdict),
      el("span", { class: "kind" }, asked.kind.replaceAll("_", " "), mode),
      el("span", { class: "read" }, said(asked.read)),
      el("span", { class: "outcome" }, outcomes[verdict]),
      el("span", { class: "points" }, score(asked.strict), ceiling),
    );
    const part = el("details", { class: "question", id: asked.call, "data-verdict": verdict }, title);
    part.addEventListener("toggle", () => {
      if (part.open && part.childElementCount === 1) part.append(inside(asked));
    });
    return part;
  }

  // ---- all of them ----

  const all = questions.map(question);
  const count = (verdict) => all.filter((one) => one.dataset.verdict === verdict).length;

  function chip(verdict) {
    const looks = { type: "button", "aria-pressed": verdict === "", "data-verdict": verdict };
    const words = verdict ? [glyph(verdict), outcomes[verdict]] : ["all"];
    const button = el("button", looks, words, el("small", {}, ` ${verdict ? count(verdict) : all.length}`));
    button.addEventListener("click", () => only(verdict));
    return button;
  }

  const chips = ["", ...Object.keys(outcomes).filter(count)].map(chip);

  function only(verdict) {
    for (const button of chips) button.setAttribute("aria-pressed", button.dataset.verdict === verdict);
    for (const one of all) one.hidden = verdict !== "" && one.dataset.verdict !== verdict;
  }

  const drawn = "Some ceilings of this scene are estimated by sampling.";
  const estimated = !episode.exact && el("p", { class: "none" }, drawn);
  const choices = el("div", { class: "chips", role: "group", "aria-label": "Show questions" }, chips);
  byId("asked").append(...[choices, el("div", { class: "list" }, all), estimated].filter(Boolean));

  // A link to one question opens it.
  function open() {
    const wanted = all.find((one) => `#${one.id}` === location.hash);
    if (!wanted) return;
    only("");
    wanted.open = true;
    wanted.scrollIntoView();
  }
  addEventListener("hashchange", open);
  open();
})();
