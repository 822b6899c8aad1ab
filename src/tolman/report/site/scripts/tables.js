// Tables that sort by any column, a choice between rule sets, and filters.
"use strict";
(() => {
  // ---- sorting: the rows of one entry stay together ----

  const numeric = (text) => {
    const plain = text.replaceAll("−", "-").replaceAll(",", "").replace(/^(≥ |<)/, "");
    const share = /^(\d+)\/(\d+)$/.exec(plain);
    return share ? share[1] / share[2] : /^[+-]?[\d.]/.test(plain) ? parseFloat(plain) : NaN;
  };

  const valueOf = (body, column) => {
    const row = [...body.rows].find((each) => each.offsetParent !== null) || body.rows[0];
    const cell = row.cells[column];
    const text = (cell.firstChild ? cell.firstChild.textContent : "").trim();
    return { text: text === "–" ? "" : text, number: numeric(text) };
  };

  const compare = (one, other) => {
    const both = !Number.isNaN(one.number) && !Number.isNaN(other.number);
    return both ? one.number - other.number : one.text.localeCompare(other.text, "en", { numeric: true });
  };

  const sort = (table, column, down) => {
    const keyed = [...table.tBodies].map((body) => ({ body, key: valueOf(body, column) }));
    keyed.sort((one, other) => {
      if (!one.key.text || !other.key.text) return !one.key.text - !other.key.text;
      return down * compare(one.key, other.key);
    });
    table.append(...keyed.map((each) => each.body));
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.querySelectorAll("tr.heads th")];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const first = column === 0 ? "ascending" : "descending";
        const second = column === 0 ? "descending" : "ascending";
        const order = head.getAttribute("aria-sort") === first ? second : first;
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", order);
        sort(table, column, order === "ascending" ? 1 : -1);
      });
    });
  }

  // ---- which rows are shown ----

  const choice = document.querySelector("fieldset.switch");
  const choose = () => {
    document.body.dataset.rules = choice.querySelector("input[name=rules]:checked").value;
    document.body.dataset.references = choice.querySelector("input[name=references]").checked ? "yes" : "no";
  };
  if (choice) {
    choice.hidden = false;
    choice.addEventListener("change", choose);
    choose();
  }

  // ---- filters ----

  for (const form of document.querySelectorAll("form.filters")) {
    const table = form.parentElement.querySelector("table");
    const titles = [...table.querySelectorAll("tr.heads th")].map((head) => head.textContent);
    const bodies = [...table.tBodies];
    const told = form.querySelector("output");
    const first = (cell) => cell.firstChild.textContent;
    const filter = () => {
      const words = form.querySelector("input").value.toLowerCase().split(/\s+/).filter(Boolean);
      const chosen = [...form.querySelectorAll("select")].filter((select) => select.value !== "");
      let shown = 0;
      for (const body of bodies) {
        const cells = body.rows[0].cells;
        const text = body.textContent.toLowerCase();
        const fits = chosen.every((select) => first(cells[titles.indexOf(select.dataset.column)]) === select.value);
        body.hidden = !(fits && words.every((word) => text.includes(word)));
        shown += !body.hidden;
      }
      told.textContent = `${shown} of ${bodies.length}`;
    };
    form.hidden = false;
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    filter();
  }
})();
