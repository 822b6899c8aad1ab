"""What a released revision log reveals about the old map it was scored with, and whether the files still hold that map.

In the vision runs the maps of the exploration were elicited again after the revision had been scored, and the first
ones were overwritten. The revision log quotes old positions of moved things, and its scores imply distances between
old and new positions. If these contradict the last map in the files, the original map is missing.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tolman.belief.revision import MapPosition, PoseMap
from tolman.benchmarks.theory_of_space.released.log_schema import Json, LoggedTurn
from tolman.benchmarks.theory_of_space.revision import old_map, plain_map
from tolman.core.rules import PUBLISHED
from tolman.harness.rescoring import TOLERANCE, Reason
from tolman.world import Change, Scene

OLD_MAP_IS_LOST = Reason(
    "the old map is not in the files",
    "the revision was scored against a last map of the exploration that was overwritten later: its log quotes "
    "positions that the map in the files does not have; some old map on the grid would give the stored value",
    "tests/benchmarks/theory_of_space/released/test_old_map.py",
)
FEWEST_CONTRADICTIONS = 2
"""Minimum number of unquoted things whose stored scores contradict the map; a single one could be our error."""
_GRID = 20
"""Stated positions are assumed to be multiples of 1 / `_GRID` cells."""


@dataclass(frozen=True)
class OldBelief:
    """Quoted old positions of moved things (None: not on the map), and whether the old map is missing."""

    positions: dict[str, MapPosition | None]
    is_lost: bool


def old_belief(
    scene: Scene, changes: Sequence[Change], last_map: str | None, logs: Sequence[LoggedTurn], length: float
) -> OldBelief:
    """What a revision log reveals about the old map. `length` is the scale of position scores, in cells."""
    believed = old_map(last_map, scene, PUBLISHED)
    moved = {change.name for change in changes if change.kind == "position"}
    quoted: dict[str, MapPosition | None] = {}
    for scores_of_turn in map(stored_map_scores, logs):
        for name in moved & set(scores_of_turn.get("retention_per_object", {})):
            data = scores_of_turn.get("inertia_data_per_object", {}).get(name)
            if data is not None:
                quoted[name] = float(data["old_pos"][0]), float(data["old_pos"][1])
            elif scores_of_turn["retention_per_object"][name]["pos"] is None:
                quoted[name] = None
    contradicted = any((believed[name][0] if name in believed else None) != at for name, at in quoted.items())
    return OldBelief(quoted, contradicted or sum(_contradicts(scene, believed, logs, length)) >= FEWEST_CONTRADICTIONS)


def stored_map_scores(log: LoggedTurn) -> Json:
    """The authors' scores of the map stated after a turn; empty if there was none."""
    return log.false_belief_log.get("cogmap_log") or {}


def stored_map(log: LoggedTurn) -> Json:
    """The map stated after a turn of the revision, as logged; empty if there was none."""
    return stored_map_scores(log).get("unchanged_objects", {}).get("global", {})


def _contradicts(scene: Scene, believed: PoseMap, logs: Sequence[LoggedTurn], length: float) -> Iterator[bool]:
    """For each unchanged thing with a stored score, whether the old map in the files gives a different one."""
    for log in logs:
        new = plain_map(stored_map(log).get("original_response"), scene, PUBLISHED) or {}
        for name, stored in stored_map_scores(log).get("unchanged_retention_per_object", {}).items():
            both = name in believed and name in new
            ours = math.exp(-math.dist(believed[name][0], new[name][0]) / length) if both else None
            retained: float | None = stored["pos"]
            yield (ours is None) != (retained is None) or (
                ours is not None and retained is not None and abs(ours - retained) > TOLERANCE
            )


# ---- scores that some old map would give ----


def is_possible_retention(position: float | None, facing: float | None, length: float) -> bool:
    """Whether some old map gives these scores of a thing: both None, or a grid position and facing 0 or 1."""
    if position is None or facing is None:
        return position is facing is None
    return facing in (0.0, 1.0) and is_grid_similarity(position, length)


def is_grid_similarity(score: float, length: float) -> bool:
    """Whether a score fits two grid positions: their squared distance in grid units is a sum of two squares."""
    if not 0.0 < score <= 1.0:
        return False
    squared = (math.log(score) * length * _GRID) ** 2
    whole = round(squared)
    if abs(squared - whole) > max(1e-6, squared * 1e-9):
        return False
    return any(math.isqrt(rest) ** 2 == rest for rest in (whole - a * a for a in range(math.isqrt(whole) + 1)))
