// Builds a list of moves from buttons and keys. The text is the truth: what stands in it is what will be sent.

const form = document.querySelector("form[data-moves]");
const text = form.querySelector("[name=reply]");
const closing = form.dataset.moves; // the action that ends a turn; nothing where only moves are wanted
const stale = form.querySelector(".stale");

const moves = () => [...text.value.matchAll(/(?:Rotate|Goto)\([^()]*\)/g)].map((found) => found[0]);

function write(list, last = closing) {
  text.value = last ? `Actions: [${[...list, last].join(", ")}]` : list.join(", ");
  changed();
}

function changed() {
  if (stale) stale.hidden = moves().length === 0;
  text.style.height = "auto";
  text.style.height = `${text.scrollHeight + 2}px`;
}

const send = () => form.requestSubmit(form.querySelector("[data-send]"));

// After a click of the mouse the button lets go, so that Enter sends the turn; who came with Tab stays on it.
function onClick(button, action) {
  button.addEventListener("click", (event) => {
    action();
    if (event.detail) button.blur();
  });
}

for (const button of form.querySelectorAll("[data-move]")) {
  onClick(button, () => write([...moves(), button.dataset.move]));
}
onClick(form.querySelector("[data-undo]"), () => write(moves().slice(0, -1)));
onClick(form.querySelector("[data-clear]"), () => write([]));
text.addEventListener("input", changed);
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    send();
  }
});

const goto = form.querySelector("[data-goto]");
goto?.addEventListener("change", () => {
  if (goto.value) write([...moves(), `Goto(${goto.value})`]);
  goto.value = "";
  goto.blur();
});

const query = form.querySelector("[data-query]");
const ask = form.querySelector("[data-ask]");
query?.addEventListener("change", () => {
  ask.disabled = !query.value;
});
ask?.addEventListener("click", () => {
  write(moves(), `Query(${query.value})`);
  send();
});

const end = form.querySelector("details.end");
end?.addEventListener("toggle", () => {
  if (end.open) end.scrollIntoView({ block: "nearest" });
});

// ---- keys ----

const others = {
  Enter: send,
  Backspace: () => write(moves().slice(0, -1)),
  Escape: () => write([]),
  q: () => query?.focus(),
  t: () => {
    if (!end) return;
    end.open = true;
    end.querySelector("button, select").focus();
  },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.target.closest("input, textarea, select, [role=application], dialog")) return;
  if (event.target.closest("button, a, summary") && ["Enter", " "].includes(event.key)) return;
  const button = form.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  const action = button ? () => button.click() : others[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

changed();
