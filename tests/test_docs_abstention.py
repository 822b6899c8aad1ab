"""The table of references in docs/abstention.md says what docs/results holds."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
COLUMNS = (
    *(f"abstain/{key}" for key in ("decided", "false/unseen", "precision", "recall", "points")),
    *(f"odds/{key}" for key in ("brier", "log", "kl", "top/excess")),
)
ROWS: dict[str, dict[str, str]] = json.loads(
    (ROOT / "docs" / "results" / "uncertainty-references.json").read_text(encoding="utf-8")
)["rows"]


@pytest.mark.parametrize("reference", ROWS)
def test_a_row_of_the_table(reference: str) -> None:
    cells = [ROWS[reference].get(column, "–").replace(" (0.00–0.00)", "") for column in COLUMNS]
    text = (ROOT / "docs" / "abstention.md").read_text(encoding="utf-8")
    assert f"| `{reference}` | {' | '.join(cells)} |" in text
