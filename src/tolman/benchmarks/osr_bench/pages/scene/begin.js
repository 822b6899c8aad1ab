// Everything is at hand: show the run that the address names.
"use strict";
window.addEventListener("hashchange", Osr.follow);
Osr.follow();
