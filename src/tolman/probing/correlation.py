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
    """Scores of other benchmarks, by benchmark and encoder: from a CSV file with the columns `encoder,benchmark,score`
    and, where it has one, `better`, or from JSON, `{"benchmark": {"encoder": number}}`.

    `better` is `higher` or `lower`: the sign of errors, of which lower is better, is inverted.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix.lower() == ".csv":
            return _from_csv(text)
        stored = cast("dict[str, dict[str, Any]]", json.loads(text))
        return {name: {str(encoder): float(value) for encoder, value in row.items()} for name, row in stored.items()}
    except (OSError, ValueError, AttributeError, TypeError, KeyError) as error:
        why = f" ({error})" if isinstance(error, ScoreRowError) else ""
        raise SceneFileError(
            f'{path} should hold {{"benchmark": {{"encoder": number}}}} as JSON, or encoder,benchmark,score as CSV{why}'
        ) from None


class ScoreRowError(ValueError):
    """A row of a file of scores is wrong; the message says which and how."""


_SIGNS = {"": 1, "higher": 1, "lower": -1}


def _from_csv(text: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for number, row in enumerate(csv.DictReader(text.splitlines(), skipinitialspace=True), start=2):
        better = (row.get("better") or "").strip()
        if better not in _SIGNS:
            raise ScoreRowError(f"line {number}: better is higher or lower, not {better[:20]!r}")
        try:
            score = _SIGNS[better] * float(row["score"])
        except (TypeError, ValueError):
            raise ScoreRowError(f"line {number}: the score {str(row['score'])[:20]!r} is not a number") from None
        if not math.isfinite(score):
            raise ScoreRowError(f"line {number}: the score is not finite")
        of_benchmark, encoder = found.setdefault(row["benchmark"].strip(), {}), row["encoder"].strip()
        if encoder in of_benchmark:
            raise ScoreRowError(f"line {number}: {encoder[:40]} has another score on {row['benchmark'].strip()[:40]}")
        of_benchmark[encoder] = score
    return found
