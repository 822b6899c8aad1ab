"""The board: honest entries ranked, all others named, and a page that harms nobody."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from tests.benchmarks.theory_of_space.leaderboard.entries import SHORT, entry, entry_from_a_file, log_of, run_of, values
from tests.benchmarks.theory_of_space.logged_runs import passive
from tolman.benchmarks.theory_of_space.columns import BEST_WITHOUT_KNOWLEDGE
from tolman.benchmarks.theory_of_space.leaderboard.space_leaderboard import entry_of
from tolman.cli.app import app
from tolman.core.errors import SettingsError
from tolman.report.leaderboard.benchmark import EntryAbout
from tolman.report.leaderboard.board import Leaderboard, board_as_dict, board_tables, read_board, write_board
from tolman.report.leaderboard.entry_file import write_entry
from tolman.report.leaderboard.ranking import seed_ranges
from tolman.report.table import Table, print_parts

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOSTILE = '<script>document.title="taken"</script><img src=x onerror=alert(1)> {{ 7*7 }}'


def command(*words: str | Path) -> int:
    """The exit code of a command."""
    try:
        app([str(word) for word in words], exit_on_error=False, print_error=False, result_action="return_none")
    except SystemExit as end:
        return int(str(end.code or 0))
    return 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two honest entries, a passive one, and one that lies."""
    place = tmp_path / "entries"
    for agent in ("random", "scout"):
        write_entry(entry(agent), place / f"{agent}.json")
    write_entry(entry("scout", passive(SHORT)), place / "passive.json.gz")
    lying: Any = values("random")
    lying["scenes"][2]["scores"]["strict"]["explore/cost"] = 1.0
    (place / "lying.json").write_text(json.dumps({**lying, "name": HOSTILE}), encoding="utf-8")
    return place


def printed(board: Leaderboard, width: int = 100) -> str:
    console = Console(file=StringIO(), width=width)
    print_parts(board_tables(board), console)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_honest_entries_stand_in_leagues_and_a_lie_is_named(folder: Path):
    board = read_board(folder)
    active, read = board.leagues
    assert [standing.verified.entry.name for standing in active.standings] == ["tolman/scout", "tolman/random"]
    assert active.title.startswith("Text world, active: 3 scenes from seeds 0–2, 3 rooms, 12 things")
    assert "passive" in read.title
    (refused,) = board.refused
    assert refused.file == "lying.json"
    assert refused.reason.startswith("scene 2, explore/cost under strict: claimed 1.0, recomputed ")
    text = printed(board)
    assert text.index("tolman/scout") < text.index("tolman/random") < text.index("Refused")
    assert refused.reason in " ".join(text.split())


def test_what_is_had_for_nothing_stands_below_each_league(folder: Path):
    (table, *_) = [part for part in board_tables(read_board(folder)) if isinstance(part, Table)]
    uncertainty = [column.narrow for column in table.columns].index("uncertainty")
    for _, reference, entries in table.sections:
        if reference:
            assert [entry.name for entry in entries] == ["all, none or random points", "best without knowledge"]
            assert entries[0].rows[0].cells[uncertainty].text == "0.0"
            assert sum(cell.known for cell in entries[1].rows[0].cells) == len(BEST_WITHOUT_KNOWLEDGE)
    assert len(table.sections) == 2 * len({section for section, _, _ in table.sections})


def test_the_commands_from_a_log_to_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    log = log_of(tmp_path / "logs", "scout")
    log_of(tmp_path / "logs", "scout", passive(SHORT))
    place = tmp_path / "entries"
    assert command("submit", log.parent, "-o", place / "mine.json", "--name", "Mine", "--link", "https://a.org") == 0
    assert sorted(file.name for file in place.iterdir()) == ["mine-text-active.json", "mine-text-passive.json"]
    assert command("submit", log, "-o", place / "one.json.gz") == 0
    numbers, site = tmp_path / "board.json", tmp_path / "site"
    capsys.readouterr()
    assert command("board", place, "--json", numbers, "--out", site) == 0
    assert "Mine" in capsys.readouterr().out
    (active, _) = json.loads(numbers.read_text(encoding="utf-8"))["leagues"]
    assert [one["rank"] for one in active["entries"]] == [1, 1]
    assert active["entries"][0]["scores"]["strict"]["ask/none"]["mean"] == pytest.approx(
        entry("scout").summary["strict"]["ask/none"].mean
    )
    assert (site / "index.html").is_file()
    (place / "broken.json").write_text("{", encoding="utf-8")
    assert command("board", place) == 1, "so that a repository of entries can be checked by machine"
    out = capsys.readouterr().out
    assert "broken.json: it is not valid JSON" in " ".join(out.split())
    assert "Mine" in out, "others still show"


def test_entries_about_other_scenes_or_questions_are_in_other_leagues(tmp_path: Path):
    write_entry(entry("scout"), tmp_path / "a.json")
    write_entry(entry("scout", SHORT, range(1, 4)), tmp_path / "b.json")
    write_entry(entry("scout", replace(SHORT, kinds=("direction",))), tmp_path / "c.json")
    write_entry(entry("scout", replace(SHORT, think=False)), tmp_path / "d.json")
    board = read_board(tmp_path)
    assert sorted(len(league.standings) for league in board.leagues) == [1, 1, 2]
    assert "think no" in printed(board)


def test_a_folder_without_entries_says_what_to_do(tmp_path: Path):
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(SettingsError, match="tolman submit"):
            read_board(place)
    with pytest.raises(SettingsError, match=r"should end in \.json"):
        app(["submit", "x", "-o", "entry.txt"], exit_on_error=False, print_error=False)


def test_whatever_goes_wrong_with_one_entry_the_others_show(folder: Path):
    """Questions that come along with a scene can be any nonsense, where nobody can make them again."""
    hostile: Any = json.loads(entry_from_a_file(folder / "logs").model_dump_json())
    hostile["scenes"][0]["case"]["released"] = True
    for question in hostile["scenes"][0]["case"]["questions"]:
        question["parameters"] = {}
    (folder / "hostile.json").write_text(json.dumps(hostile), encoding="utf-8")
    board = read_board(folder)
    assert len(board.leagues) == 2
    assert [one.file for one in board.refused] == ["hostile.json", "lying.json"]
    assert board.refused[0].reason.startswith("it can't be checked: ")


def test_numbers_of_the_board_are_plain(folder: Path):
    plain = board_as_dict(read_board(folder))
    again: Any = json.loads(json.dumps(plain, allow_nan=False))
    assert again["refused"][0]["file"] == "lying.json"
    first, second = again["leagues"][0]["entries"]
    assert first["behind"] is None
    assert second["behind"]["difference"] < 0
    assert "contact" in first


@pytest.mark.parametrize(
    ("seeds", "text"),
    [(range(50), "0–49"), ((7,), "7"), ((0, 1, 5, 7, 8), "0–1, 5, 7–8"), (range(0, 20, 2), "0, 2, 4, 6, …")],
)
def test_seeds_are_told_in_ranges(seeds: tuple[int, ...], text: str):
    assert seed_ranges(seeds) == text


# ---- the page ----


def test_the_page_shows_names_as_they_are_and_nothing_in_them_runs(tmp_path: Path, chromium: "Browser"):
    from tests.browser import keep_picture, watched  # noqa: PLC0415

    place = tmp_path / "entries"
    hostile = entry_of(run_of(log_of(tmp_path, "scout")), EntryAbout(name=HOSTILE, link="https://example.org/?a=1&b=2"))
    write_entry(hostile, place / "hostile.json")
    write_entry(entry("random"), place / "random.json")
    (place / f"{'x' * 60}.json").write_text('{"format": "<script>alert(1)</script>"}', encoding="utf-8")
    write_board(read_board(place), tmp_path / "site")
    for width in (1280, 390):
        with watched(chromium, width) as page:
            page.goto((tmp_path / "site" / "index.html").as_uri())
            assert page.title() == "Leaderboard: Theory of Space"
            names = page.locator("#board tbody th").all_inner_texts()
            assert any(HOSTILE in name for name in names)
            assert page.locator("#board img").count() == 0
            assert page.locator("#board tbody a").get_attribute("href") == "https://example.org/?a=1&b=2"
            keep_picture(page, f"leaderboard-{width}", whole=True)
            page.locator("#tab-refused").click()
            assert "<script>alert(1)</script>" in page.locator("#refused").inner_text()
            assert page.evaluate("document.documentElement.scrollWidth") <= width
