"""Every heading of every table on the pages of all benchmarks has a tooltip that says what it means."""

import re
from pathlib import Path

import pytest

from tolman.core.parallel import untracked
from tolman.report.whole_report import write_whole_report

GOLDEN = Path(__file__).parents[2] / "golden"
GROUP = re.compile(r'<th scope="colgroup"([^>]*)><span>([^<]*)<')
HEADING = re.compile(r'<th scope="col"(?! class="name")([^>]*)>([^<]*)<')


@pytest.mark.parametrize("run", ["runs/osr-oracle", "runs/sparrta-oracle", "probes", "runs/tos-scout"])
def test_headings_of_pages(run: str, tmp_path: Path):
    write_whole_report([GOLDEN / run], tmp_path / "report", print, untracked, 1)
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    headings = HEADING.findall(page)
    assert len(headings) > 20
    assert [title for signs, title in headings if 'title="' not in signs] == []
    groups = GROUP.findall(page)
    assert groups
    assert [title for signs, title in groups if f'title="{title}: ' not in signs] == [], "groups list their columns"
