// What a heading means, in a box beside it: under the pointer, on focus, and when it is tapped. Without scripts browsers
// show the same text as a title, which neither keys nor fingers reach.
"use strict";
(() => {
  const GAP = 6;
  const box = document.createElement("div");
  Object.assign(box, { id: "meaning", className: "meaning", hidden: true });
  box.setAttribute("role", "tooltip");
  document.body.append(box);
  let shown = null;

  const described = (head) => head.querySelector("button") || head;

  const hide = () => {
    if (shown) described(shown).removeAttribute("aria-describedby");
    shown = null;
    box.hidden = true;
  };

  const show = (head) => {
    hide();
    shown = head;
    described(head).setAttribute("aria-describedby", box.id);
    box.textContent = head.dataset.meaning;
    box.hidden = false;
    const at = head.getBoundingClientRect();
    const above = at.top - box.offsetHeight - GAP;
    const most = document.documentElement.clientWidth - box.offsetWidth - GAP;
    box.style.left = `${Math.max(GAP, Math.min(at.left, most))}px`;
    box.style.top = `${above >= 0 ? above : at.bottom + GAP}px`;
  };

  for (const head of document.querySelectorAll("thead th[title]")) {
    head.dataset.meaning = head.title;
    head.removeAttribute("title");
    const byMouse = (act) => (event) => event.pointerType === "mouse" && act(head);
    head.addEventListener("pointerenter", byMouse(show));
    head.addEventListener("pointerleave", byMouse(hide));
    head.addEventListener("focusin", () => show(head));
    head.addEventListener("focusout", hide);
    head.addEventListener("click", () => show(head));
  }

  document.addEventListener("pointerdown", (event) => shown && !shown.contains(event.target) && hide());
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  document.addEventListener("scroll", hide, { capture: true, passive: true });
})();
