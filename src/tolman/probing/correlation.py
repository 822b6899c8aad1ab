"""Correlation of encoders' accuracy with their scores on other benchmarks, given by the user."""

import csv
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from scipy import stats

from tolman.core.errors import SceneFileError, SettingsError


@dataclass(frozen=True)
class Correlation:
    """Pearson's r with its 95 % interval, R² of the linear fit, and the encoders in both tables."""

    pearson: float
    low: float
    high: float
    encoders: tuple[str, ...]

    @property
    def r_squared(self) -> float:
        return self.pearson**2


def correlation(ours: Mapping[str, float], theirs: Mapping[str, float], *, errors: bool = False) -> Correlation:
    """The correlation of two scores; with `errors` the second is an error, and its sign is inverted."""
    shared = tuple(name for name in ours if name in theirs)
    if len(shared) < 3:
        raise SettingsError(f"a correlation needs 3 encoders with both scores, but there are {len(shared)}")
    one, other = [ours[name] for name in shared], [(-1 if errors else 1) * theirs[name] for name in shared]
    if len(set(one)) == 1 or len(set(other)) == 1:
        raise SettingsError("all encoders have the same score: there is nothing to correlate")
    found = cast("Any", stats).pearsonr(one, other)
    interval = found.confidence_interval() if len(shared) > 3 else (float("nan"), float("nan"))
    return Correlation(float(found.statistic), float(interval[0]), float(interval[1]), shared)


def read_scores(path: Path) -> dict[str, dict[str, float]]:
    """Scores of other benchmarks, by benchmark and encoder: from a CSV file with the columns `encoder,benchmark,score`,
    or from JSON, `{"benchmark": {"encoder": number}}`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() == ".csv":
            return _from_csv(text)
        stored = cast("dict[str, dict[str, Any]]", json.loads(text))
        return {name: {str(encoder): float(value) for encoder, value in row.items()} for name, row in stored.items()}
    except (OSError, ValueError, AttributeError, TypeError, KeyError):
        raise SceneFileError(
            f'{path} should hold {{"benchmark": {{"encoder": number}}}} as JSON, or encoder,benchmark,score as CSV'
        ) from None


def _from_csv(text: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for row in csv.DictReader(text.splitlines(), skipinitialspace=True):
        score = float(row["score"])
        if not math.isfinite(score):
            raise ValueError(score)
        found.setdefault(row["benchmark"].strip(), {})[row["encoder"].strip()] = score
    return found
