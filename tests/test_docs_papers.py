"""docs/papers.md lists every table, figure and algorithm of the three papers, each with a place here or a reason."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "papers.md"
LISTED = {
    "Theory of Space": {"Figure": range(1, 7), "Table": range(1, 8)},
    "OSR-Bench": {"Figure": range(6, 14), "Table": (2, 3, 6, 7, 8, 9), "Algorithm": range(1, 4)},
    "SpaRRTa": {"Figure": range(1, 17), "Table": range(1, 5)},
}
"""Of OSR-Bench the supplement numbers from figure 6 and table 6 on; it tells of tables 2 and 3 of the main text."""


def rows(section: str) -> list[tuple[str, str]]:
    text = PAGE.read_text(encoding="utf-8").partition(f"## {section}\n")[2].partition("\n## ")[0]
    found = re.findall(r"^\| (.+?) \| (.*?) ?\|$", text, re.MULTILINE)
    return [(one, other) for one, other in found if not one.startswith("**") and one != "in the paper"]


def numbers(text: str, kind: str) -> set[int]:
    found: set[int] = set()
    for first, last in re.findall(rf"{kind}s? (\d+)(?:(?:–| and )(\d+))?", text):
        ends = range(int(first), int(last) + 1) if last and "–" in text else {int(first), int(last or first)}
        found.update(ends)
    return found


@pytest.mark.parametrize("section", LISTED)
def test_nothing_of_a_paper_is_unlisted(section: str) -> None:
    named = " ".join(one for one, _ in rows(section))
    for kind, wanted in LISTED[section].items():
        parts = [numbers(one, kind) for one, _ in rows(section)]
        assert set().union(*parts) >= set(wanted), (kind, named)


@pytest.mark.parametrize("section", LISTED)
def test_every_row_has_a_command_a_page_or_a_reason(section: str) -> None:
    assert len(rows(section)) > 25
    for one, other in rows(section):
        assert re.search(
            r"`[^`]+`|\]\([\w#.-]+\)|\*tolman [^*]+\*|not here|of the authors|table by|the same|measured", other
        ), one
