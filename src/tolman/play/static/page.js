// What all pages of a session share: the list of keys, what folds on a small screen, and forms that are sent once.

const help = document.getElementById("keys");
const typing = (target) => target.closest("input, textarea, select, [role=application], dialog") !== null;

document.querySelector("[data-help]").addEventListener("click", () => help.showModal());
document.addEventListener("keydown", (event) => {
  if (event.key === "?" && !typing(event.target)) help.showModal();
});

if (matchMedia("(max-width: 52rem)").matches) {
  for (const folded of document.querySelectorAll("[data-folds]")) folded.open = false;
}

const past = document.querySelector("[data-past]");
past.scrollTop = past.scrollHeight;

for (const form of document.querySelectorAll("form[method=post]")) {
  let sent = false;
  form.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
}

addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
