// Start: show the first frame, or the one in the address.
"use strict";
Replay.store.set({});
Replay.player.readAddress();
