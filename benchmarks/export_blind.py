"""What strategies reach in exported sets without the picture or the log: `docs/results/export-blind.json`."""

import json
from pathlib import Path

from tolman.harness.export.exported_set import ExportOptions, make_set

SETS: dict[str, tuple[str, dict[str, object]]] = {
    "Theory of Space, words, scenes 0-99": ("theory-of-space", {"scenes": "0-99"}),
    "OSR-Bench, standard, rooms 0-99": ("osr-bench", {"data": "0-99", "views": "blind"}),
    "OSR-Bench, negative, rooms 0-99": ("osr-bench", {"data": "0-99", "views": "blind", "asked": "negative"}),
}
"""Rooms without pictures: the questions and choices are the same, and nothing has to be rendered."""


def measured(benchmark: str, given: dict[str, object], *, balance: bool) -> dict[str, object]:
    """The figures of one set."""
    made, _ = make_set(benchmark, given, ExportOptions(balance=balance), lambda done, total: None)  # noqa: ARG005
    best, reached = made.blind.best
    return {
        "questions": len(made.items),
        "left_out": made.left_out.total(),
        "chance": round(100 * made.blind.chance, 1),
        "error": round(100 * made.blind.error, 1),
        "best": best,
        "reached": round(100 * reached, 1),
    }


if __name__ == "__main__":
    found = {
        title: {name: measured(*arguments, balance=name == "balanced") for name in ("balanced", "all")}
        for title, arguments in SETS.items()
    }
    file = Path(__file__).resolve().parent.parent / "docs" / "results" / "export-blind.json"
    file.write_text(json.dumps(found, indent=1) + "\n")
    print(file.read_text())
