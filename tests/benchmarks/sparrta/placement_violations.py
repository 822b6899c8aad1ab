"""Check a picture against the placement rules from its mask and metadata alone, independently of the code that made
it."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.sparrta.sample import RELATIONS, ROLES, bearing
from tolman.benchmarks.sparrta.scenes.placement import PlacementRules

KINDS = ("visibility", "frame", "overlap", "distance", "ambiguity", "label")


def violations(truth: Mapping[str, Any], ids: NDArray[Any], rules: PlacementRules) -> list[str]:
    """Kinds of rules that a picture violates. `truth` is its metadata, `ids` its mask."""
    actors = [truth["actors"][role] for role in ROLES]
    found = {
        "visibility": not all(_is_seen(actor, ids, rules) for actor in actors),
        "frame": not all(_is_inside(ids == actor["id"]) for actor in actors),
        "overlap": any(_overlap(a["box"], b["box"]) for a, b in combinations(actors, 2)),
        "distance": any(_apart(a, b) > rules.farthest for a, b in combinations(actors, 2)),
    }
    for view in rules.viewpoints:
        said = _said(truth, view, rules.ambiguity)
        found["ambiguity"] = found.get("ambiguity", False) or said is None
        found["label"] = found.get("label", False) or said != truth["labels"][view]["relation"]
    return [kind for kind in KINDS if found[kind]]


def _is_seen(actor: Mapping[str, Any], ids: NDArray[Any], rules: PlacementRules) -> bool:
    pixels = int((ids == actor["id"]).sum())
    return pixels >= rules.pixels * ids.size / 224**2 and pixels >= rules.share * actor["pixels_alone"]


def _is_inside(mask: NDArray[np.bool_]) -> bool:
    """Whether a mask touches no edge."""
    return not (mask[0].any() or mask[-1].any() or mask[:, 0].any() or mask[:, -1].any())


def _overlap(first: Mapping[str, Sequence[float]], second: Mapping[str, Sequence[float]]) -> bool:
    lows = zip(first["low"], second["high"], strict=True)
    highs = zip(second["low"], first["high"], strict=True)
    return all(a < b for a, b in lows) and all(a < b for a, b in highs)


def _apart(first: Mapping[str, Any], second: Mapping[str, Any]) -> float:
    return float(np.hypot(first["at"][0] - second["at"][0], first["at"][1] - second["at"][1]))


def _said(truth: Mapping[str, Any], view: str, ambiguity: float) -> str | None:
    """The relation by sectors of 90 degrees, each narrowed by the ambiguity on both sides."""
    at = {role: (truth["actors"][role]["at"][0], truth["actors"][role]["at"][1]) for role in ROLES}
    camera = truth["camera"]["at"][0], truth["camera"]["at"][1]
    turned = bearing(camera if view == "ego" else at["human"], at["source"], at["target"])
    if turned is None:
        return None
    middles = dict(zip(RELATIONS, (0.0, 180.0, 90.0, -90.0), strict=True))
    off = {relation: abs((turned - middle + 180) % 360 - 180) for relation, middle in middles.items()}
    return next((relation for relation, angle in off.items() if angle < 45 - ambiguity), None)
