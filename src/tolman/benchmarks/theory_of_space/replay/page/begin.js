// Everything is there: show the first frame, or the one that the address names.
"use strict";
Replay.store.set({});
Replay.player.readAddress();
