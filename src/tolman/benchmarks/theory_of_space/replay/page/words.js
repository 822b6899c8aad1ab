// Words for verdicts, the same everywhere on the page.
"use strict";
Replay.verdicts = {
  right: "right",
  unlucky: "wrong, but consistent with the evidence",
  impossible: "contradicts the evidence",
  wrong: "wrong",
};
Replay.outcomes = {
  right: "right",
  partly: "partly right",
  reasoning: "lost to reasoning",
  exploration: "lost to exploration",
  unread: "unparseable",
};
Replay.modes = { none: "", say: "stating a map first", own: "with its own map", true: "with the true map" };
Replay.changes = { position: "moved", orientation: "turned" };
