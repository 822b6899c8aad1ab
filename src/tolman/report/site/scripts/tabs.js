// Tabs from a row of links. Without this script the page is one long page, and the links lead to its parts.
"use strict";
(() => {
  const row = document.querySelector("nav.tabs");
  const tabs = [...row.querySelectorAll("a")];
  const panelOf = (tab) => document.getElementById(tab.hash.slice(1));

  row.setAttribute("role", "tablist");
  for (const tab of tabs) {
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", tab.hash.slice(1));
    panelOf(tab).setAttribute("role", "tabpanel");
    panelOf(tab).setAttribute("aria-labelledby", tab.id);
  }

  const open = (chosen) => {
    for (const tab of tabs) {
      const here = tab === chosen;
      tab.setAttribute("aria-selected", String(here));
      tab.tabIndex = here ? 0 : -1;
      panelOf(tab).hidden = !here;
    }
    const left = chosen.offsetLeft - row.offsetLeft;
    if (left < row.scrollLeft || left + chosen.offsetWidth > row.scrollLeft + row.clientWidth) {
      row.scrollLeft = left - 24;
    }
  };

  // A hash may name a tab, or anything within one.
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const panel = target && target.closest("section.tab");
    open(tabs.find((tab) => panel && tab.hash === `#${panel.id}`) || tabs[0]);
    if (panel && target !== panel) target.scrollIntoView();
  };

  const go = (tab) => {
    history.replaceState(null, "", tab.hash);
    open(tab);
  };

  row.addEventListener("click", (event) => {
    const tab = event.target.closest("a");
    if (!tab || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(tab);
  });

  row.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    const tab = tabs[(next + tabs.length) % tabs.length];
    go(tab);
    tab.focus();
  });

  window.addEventListener("hashchange", follow);
  follow();
})();
