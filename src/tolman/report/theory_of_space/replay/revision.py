"""The revision as plain values: what was believed before, what became of that turn by turn, and what was reported."""

from collections.abc import Iterator, Sequence

from tolman.belief.revision import Place, PlainMap, identification
from tolman.benchmarks.theory_of_space.calls import probe_call
from tolman.benchmarks.theory_of_space.revised import with_quotes
from tolman.benchmarks.theory_of_space.stated_maps import reported_changes, views_of
from tolman.report.theory_of_space.plain import Plain
from tolman.report.theory_of_space.replay.frames import Reel
from tolman.report.theory_of_space.replay.stated import cell_of, is_at, placed, said_in
from tolman.rules import STRICT
from tolman.world import Change, Scene


def revision(reel: Reel) -> Plain | None:
    """The whole phase; None where there was none."""
    case, turns = reel.logged.case, reel.turns("revise")
    if case.changed is None or not turns:
        return None
    reported = reported_changes(turns[-1])
    old = old_belief(reel)
    return {
        "old": placed(old, case.scene, {}),
        "turns": list(_turns(reel, case.changed, old)),
        "reported": [[change.name, change.kind] for change in reported],
        "forced": turns[-1].forced,
        "f1": identification(reported, case.changes, STRICT).overall,
    }


def old_belief(reel: Reel) -> PlainMap:
    """The last map of the exploration, but with the old positions that a released log holds."""
    reply = reel.replies.get(probe_call("explore", len(reel.turns("explore")), "global"), "")
    return with_quotes(said_in(reply, reel.logged.case.scene) or {}, reel.logged.case)


def _turns(reel: Reel, changed: Scene, old: PlainMap) -> Iterator[Sequence[Plain]]:
    """After each turn, for everything that changed: whether it had been in view, and what the latest map says."""
    changes, seen = reel.logged.case.changes, set[str]()
    said: PlainMap | None = None
    for number, view in enumerate(views_of(reel.turns("revise")), start=1):
        seen.update(view)
        call = probe_call("revise", number, "global")
        said = said_in(reel.replies[call], changed) if call in reel.replies else said
        yield [
            {
                "item": changed.names.index(change.name),
                "seen": change.name in seen,
                "belief": None if said is None else belief_in(change, said.get(change.name), old, changed),
            }
            for change in changes
        ]


def belief_in(change: Change, new: Place | None, old: PlainMap, changed: Scene) -> str:
    """Whether a belief about something that changed is `new`, still the `old` one, `other`, or `gone` from the map."""
    if new is None:
        return "gone"
    before = old.get(change.name)
    if change.kind == "position":
        if is_at(new, changed.from_start(change.name)):
            return "new"
        return "old" if before is not None and cell_of(new) == cell_of(before) else "other"
    front = {thing.name: thing.front for thing in changed.things}[change.name]
    if new[1] is not None and new[1] == front:
        return "new"
    return "old" if before is not None and new[1] == before[1] else "other"
