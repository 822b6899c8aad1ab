"""What the log of a released revision tells of the map it was compared with, and whether that map is still there.

In the vision runs the maps of the exploration were asked for again after the revision had been scored, and written
over the first ones. The log of the revision quotes where the old map had moved things, and the scores it stores tell
how far from the new place the old one was. Where that contradicts the last map in the files, that is another map.
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
    "the revision was scored against a last map of the exploration that was overwritten later: its log quotes places "
    "that the map in the files does not have; the stored value is one that some old map on the grid would give",
    "tests/benchmarks/theory_of_space/test_old_belief.py",
)
FEWEST_CONTRADICTIONS = 2
"""Things, at least, whose stored scores must contradict the map where it is not quoted: one could be our mistake."""
_GRID = 20
"""Positions are taken to be stated in twentieths of a cell at the finest."""


@dataclass(frozen=True)
class OldBelief:
    """Where the log says that moved things were believed to be (None: nowhere), and whether the map is gone."""

    positions: dict[str, MapPosition | None]
    is_lost: bool


def old_belief(
    scene: Scene, changes: Sequence[Change], last_map: str | None, logs: Sequence[LoggedTurn], length: float
) -> OldBelief:
    """What the log of a revision tells of the old map. `length` is the scale of position scores, in cells."""
    believed = old_map(last_map, scene, PUBLISHED)
    moved = {change.name for change in changes if change.kind == "position"}
    quoted: dict[str, MapPosition | None] = {}
    for probes in map(stored_map_scores, logs):
        for name in moved & set(probes.get("retention_per_object", {})):
            data = probes.get("inertia_data_per_object", {}).get(name)
            if data is not None:
                quoted[name] = float(data["old_pos"][0]), float(data["old_pos"][1])
            elif probes["retention_per_object"][name]["pos"] is None:
                quoted[name] = None
    contradicted = any((believed[name][0] if name in believed else None) != at for name, at in quoted.items())
    return OldBelief(quoted, contradicted or sum(_contradicts(scene, believed, logs, length)) >= FEWEST_CONTRADICTIONS)


def stored_map_scores(log: LoggedTurn) -> Json:
    """What the authors scored in the map that was stated after a turn; empty where there was none."""
    return log.false_belief_log.get("cogmap_log") or {}


def stored_map(log: LoggedTurn) -> Json:
    """The map that was stated after a turn of the revision, as logged; empty where there was none."""
    return stored_map_scores(log).get("unchanged_objects", {}).get("global", {})


def _contradicts(scene: Scene, believed: PoseMap, logs: Sequence[LoggedTurn], length: float) -> Iterator[bool]:
    """For each unchanged thing with a stored score, whether the old map in the files would give another."""
    for log in logs:
        new = plain_map(stored_map(log).get("original_response"), scene, PUBLISHED) or {}
        for name, stored in stored_map_scores(log).get("unchanged_retention_per_object", {}).items():
            both = name in believed and name in new
            ours = math.exp(-math.dist(believed[name][0], new[name][0]) / length) if both else None
            kept: float | None = stored["pos"]
            yield (ours is None) != (kept is None) or (
                ours is not None and kept is not None and abs(ours - kept) > TOLERANCE
            )


# ---- what some old map would give ----


def is_possible_retention(position: float | None, facing: float | None, length: float) -> bool:
    """Whether some old map gives these scores of a thing: none of it, or a place on the grid and a facing or not."""
    if position is None or facing is None:
        return position is facing is None
    return facing in (0.0, 1.0) and is_grid_similarity(position, length)


def is_grid_similarity(score: float, length: float) -> bool:
    """Whether a score is that of two places on the grid: its distance squared is a sum of two squares of the grid."""
    if not 0.0 < score <= 1.0:
        return False
    squared = (math.log(score) * length * _GRID) ** 2
    whole = round(squared)
    if abs(squared - whole) > max(1e-6, squared * 1e-9):
        return False
    return any(math.isqrt(rest) ** 2 == rest for rest in (whole - a * a for a in range(math.isqrt(whole) + 1)))
