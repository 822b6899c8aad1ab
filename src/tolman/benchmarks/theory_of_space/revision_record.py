"""The revision phase of a released run, replayed, with the maps that the model stated along the way."""

from collections.abc import Iterable
from dataclasses import dataclass

from tolman.belief.map_scores import Yardstick
from tolman.belief.revision import PlainMap, Position, Revisited, revisited
from tolman.benchmarks.theory_of_space.released_logs import Json, LoggedTurn
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun
from tolman.benchmarks.theory_of_space.replay import replay
from tolman.benchmarks.theory_of_space.stated_maps import plain_map, true_places, views_of
from tolman.explore.episode import Turn
from tolman.rules import PUBLISHED, Rules
from tolman.world import Change, Scene, changes_between


@dataclass(frozen=True)
class RevisionRecord:
    """All that the scores of a revision need. `turns`, `logs` and `maps` have one entry for each reply."""

    before: Scene
    after: Scene
    changes: tuple[Change, ...]
    turns: tuple[Turn, ...]
    logs: tuple[LoggedTurn, ...]
    maps: tuple[PlainMap | None, ...]
    believed: PlainMap
    """The last map of the exploration; empty where there was none."""
    old: PlainMap
    """The last map of the exploration, but with the old positions of moved things that the revision's log gives."""
    logged_positions: dict[str, Position]
    """Where the revision's log says that moved things were believed to be."""
    old_is_lost: bool
    """Whether that log contradicts the last map of the exploration, so that the map it was scored with is gone."""

    @property
    def views(self) -> list[tuple[str, ...]]:
        """Names in view after each reply."""
        return views_of(self.turns)

    @property
    def scale(self) -> float:
        """Root mean square distance in cells of all things from the start, before the change."""
        return Yardstick.of(self.before).length

    @property
    def seen(self) -> dict[str, Revisited]:
        return revisited(self.views, self.maps, self.old, true_places(self.after))


def map_in(probe: Json, scene: Scene, rules: Rules) -> PlainMap | None:
    """The map in a logged probe, which holds the model's reply; None for no map or no probe."""
    return plain_map(probe.get("original_response"), scene, rules)


def revision_record(run: ReleasedRun, rules: Rules = PUBLISHED) -> RevisionRecord | None:
    """Replay the revision phase of a run and read its maps; None where the phase was not run."""
    logs = run.revision_turns
    if not logs:
        return None
    episode = replay(run)
    before = episode.before or episode.scene
    believed = map_in(run.exploration_turns[-1].cogmap_log.get("global", {}), before, rules) or {}
    logged = _logged_old_positions(logs)
    kept = {name: (position, believed[name][1] if name in believed else None) for name, position in logged.items()}
    return RevisionRecord(
        before=before,
        after=episode.scene,
        changes=changes_between(before, episode.scene),
        turns=tuple(turn for turn in episode.turns if turn.phase == "revise"),
        logs=logs,
        maps=tuple(map_in(stated_after(log), before, rules) for log in logs),
        believed=believed,
        old={**believed, **kept},
        logged_positions=logged,
        old_is_lost=any(name not in believed or believed[name][0] != place for name, place in logged.items()),
    )


def probes_of(log: LoggedTurn) -> Json:
    """What the authors scored in the map that was stated after a turn; empty where there was none."""
    return log.false_belief_log.get("cogmap_log") or {}


def stated_after(log: LoggedTurn) -> Json:
    """The map that was stated after a turn of the revision, as logged; empty where there was none."""
    return probes_of(log).get("unchanged_objects", {}).get("global", {})


def _logged_old_positions(logs: Iterable[LoggedTurn]) -> dict[str, Position]:
    """Where moved things were believed to be before the change, as the revision's log has it."""
    found: dict[str, Position] = {}
    for log in logs:
        for name, data in probes_of(log).get("inertia_data_per_object", {}).items():
            x, y = data["old_pos"]
            found[name] = float(x), float(y)
    return found
