"""The revision phase of a released run, replayed, with the maps that the model stated along the way."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tolman.belief.revision import Place, PlainMap, Position, Revisited, revisited
from tolman.benchmarks.theory_of_space.released_logs import Json, LoggedTurn
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun
from tolman.benchmarks.theory_of_space.replay import replay
from tolman.explore.episode import Turn
from tolman.geometry import Heading
from tolman.sense import Observation
from tolman.world import Change, Scene, changes_between

ReadProbe = Callable[[Json], PlainMap | None]
"""Gives the map in a logged probe, which holds the model's reply as `original_response`; None for no map."""


@dataclass(frozen=True)
class RevisionRecord:
    """All that the scores of a revision need. `turns`, `logs` and `maps` have one entry for each reply."""

    before: Scene
    after: Scene
    changes: tuple[Change, ...]
    turns: tuple[Turn, ...]
    logs: tuple[LoggedTurn, ...]
    maps: tuple[PlainMap | None, ...]
    old: PlainMap
    """The last map of the exploration, but with the old positions of moved things that the revision's log gives."""
    old_is_lost: bool
    """Whether that log contradicts the last map of the exploration, so that the map it was scored with is gone."""

    @property
    def views(self) -> list[tuple[str, ...]]:
        """Names in view after each reply."""
        return [turn.told.names if isinstance(turn.told, Observation) else () for turn in self.turns]

    @property
    def scale(self) -> float:
        """Root mean square distance in cells of all things from the start, before the change."""
        distances = [math.hypot(*self.before.from_start(thing.name)) for thing in self.before.things]
        return math.hypot(*distances) / math.sqrt(len(distances))

    @property
    def seen(self) -> dict[str, Revisited]:
        return revisited(self.views, self.maps, self.old, true_places(self.after))


def true_places(scene: Scene) -> PlainMap:
    """All things and doors, in the agent's frame; doors without a facing."""
    fronts = {thing.name: thing.front for thing in scene.things}
    return {name: (scene.from_start(name), fronts.get(name)) for name in scene.names}


def stored_map(probe: Json) -> PlainMap | None:
    """The map in the JSON that the authors' own reader found in a reply."""
    if not probe.get("extraction_success"):
        return None
    found: dict[str, Place] = {}
    for name, entry in probe["pred_json"].items():
        match entry:
            case {"position": [int() | float() as x, int() | float() as y], "facing": str(word)}:
                found[name] = (float(x), float(y)), _FACINGS.get(word.strip().lower(), Heading.NORTH)
            case {"position": [int() | float() as x, int() | float() as y]}:
                found[name] = (float(x), float(y)), None
            case _:
                pass
    return found


_FACINGS = {word: heading for heading in Heading for word in (heading.word, heading.word[0])} | {
    "+y": Heading.NORTH,
    "+x": Heading.EAST,
    "-y": Heading.SOUTH,
    "-x": Heading.WEST,
}
"""Any other word means north, as published."""


def revision_record(run: ReleasedRun, read_probe: ReadProbe = stored_map) -> RevisionRecord | None:
    """Replay the revision phase of a run and read its maps; None where the phase was not run."""
    logs = run.revision_turns
    if not logs:
        return None
    episode = replay(run)
    before = episode.before or episode.scene
    believed = read_probe(run.exploration_turns[-1].cogmap_log.get("global", {})) or {}
    logged = _logged_old_positions(logs)
    kept = {name: (position, believed[name][1] if name in believed else None) for name, position in logged.items()}
    return RevisionRecord(
        before=before,
        after=episode.scene,
        changes=changes_between(before, episode.scene),
        turns=tuple(turn for turn in episode.turns if turn.phase == "revise"),
        logs=logs,
        maps=tuple(read_probe(probes_of(log).get("unchanged_objects", {}).get("global", {})) for log in logs),
        old={**believed, **kept},
        old_is_lost=any(name not in believed or believed[name][0] != place for name, place in logged.items()),
    )


def probes_of(log: LoggedTurn) -> Json:
    """What the authors scored in the map that was stated after a turn; empty where there was none."""
    return log.false_belief_log.get("cogmap_log") or {}


def _logged_old_positions(logs: Iterable[LoggedTurn]) -> dict[str, Position]:
    """Where moved things were believed to be before the change, as the revision's log has it."""
    found: dict[str, Position] = {}
    for log in logs:
        for name, data in probes_of(log).get("inertia_data_per_object", {}).items():
            x, y = data["old_pos"]
            found[name] = float(x), float(y)
    return found
