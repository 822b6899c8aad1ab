// Words for verdicts, the same everywhere on the page.
"use strict";
Replay.verdicts = {
  right: "right",
  unlucky: "wrong, but possible after what was told",
  impossible: "impossible after what was told",
  wrong: "wrong",
};
Replay.outcomes = {
  right: "right",
  partly: "partly right",
  reasoning: "lost to reasoning",
  exploration: "lost to exploration",
  unread: "unreadable",
};
Replay.modes = { none: "", say: "saying a map first", own: "with its own map", true: "with the true map" };
Replay.changes = { position: "moved", orientation: "turned" };
