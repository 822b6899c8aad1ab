// The questions with their replies: what was read, and whether it is right under either rule set.
"use strict";
(() => {
  const { el, svg, byId, said, classes } = Osr;
  const KINDS = ["counting", "distance", "direction"];
  const PATHS = { right: "M2 8.5L6 12.5L14 3.5", wrong: "M3 3L13 13M13 3L3 13", partly: "M2.5 8H13.5" };

  const verdict = (score) => (score === 1 ? "right" : score > 0 ? "partly" : "wrong");
  const read = (text, why) => (text === null ? el("em", {}, why ? `nothing that can be read. ${why}` : "nothing that can be read") : said(text));
  const fact = (title, ...values) => el("div", {}, el("dt", {}, title), el("dd", {}, values));

  function points(score, rules) {
    const name = verdict(score);
    const about = { class: `tick ${name}`, viewBox: "0 0 16 16", role: "img", "aria-label": `${rules}: ${name}` };
    const part = name === "partly" ? el("span", {}, score.toFixed(2)) : null;
    return el("span", { class: "points", title: rules }, svg("svg", about, svg("path", { d: PATHS[name] })), part);
  }

  function facts(asked) {
    const [strict, published] = asked.said;
    const judged = asked.judged === null ? null : fact("judge", asked.judged === 1 ? "right" : "wrong");
    return el("dl", { class: "facts" },
      fact("right", said(asked.answer)),
      fact("read, strict", read(strict, asked.why)),
      fact("read, published", read(published)),
      judged);
  }

  function question(asked) {
    const [strict, published] = asked.score;
    const right = strict === 1;
    const answers = el("span", { class: "answers" },
      el("span", { class: "read" }, read(asked.said[0])),
      el("span", { class: "true" }, right ? null : said(asked.answer)));
    const head = el("summary", {},
      points(strict, "strict"),
      points(published, "published"),
      el("span", { class: "text" }, said(asked.text)),
      answers);
    const body = el("div", { class: "answer" }, facts(asked), Osr.reply(asked.reply));
    const about = { class: "question", "data-kind": asked.kind, "data-right": right ? "yes" : "no" };
    const made = el("details", about, head, body);
    made.addEventListener("toggle", () => opened(made, asked));
    return made;
  }

  // An open question shows on the map where it stands and looks; one at a time.
  function opened(node, asked) {
    if (!node.open) {
      if (!document.querySelector(".question[open]")) classes.choose([]);
      return;
    }
    for (const other of document.querySelectorAll(".question[open]")) if (other !== node) other.open = false;
    const [from, ...to] = asked.cells.map((at, i) => at && { name: asked.names[i], at });
    classes.choose(asked.names, to.filter((each) => each !== null).map((each) => [from, each]));
  }

  function filters(answers) {
    const wrong = answers.filter((each) => each.score[0] < 1).length;
    const choices = [["all", answers.length, () => true], ["wrong", wrong, (node) => node.dataset.right === "no"]];
    for (const kind of KINDS) {
      const count = answers.filter((each) => each.kind === kind).length;
      if (count) choices.push([kind, count, (node) => node.dataset.kind === kind]);
    }
    const buttons = choices.map(([name, count, fits], i) => {
      const about = { type: "button", "aria-pressed": String(i === 0) };
      const button = el("button", about, name, el("small", {}, ` ${count}`));
      button.addEventListener("click", () => {
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
        for (const node of byId("asked").children) node.hidden = !fits(node);
      });
      return button;
    });
    return buttons;
  }

  Osr.questions = {
    show(answers) {
      byId("filters").replaceChildren(...(answers.length ? filters(answers) : []));
      byId("asked").replaceChildren(...answers.map(question));
      byId("heads").hidden = !answers.length;
      byId("unasked").hidden = answers.length > 0;
    },
  };
})();
