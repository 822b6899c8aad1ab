"""The file of an episode: its size, its name, and what is cut from it."""

import json
import re
from pathlib import Path

import pytest

from tests.benchmarks.theory_of_space.replay.episode_pages import called, insight, passive, saying, scout, write
from tolman.benchmarks.theory_of_space.replay.episode_data import episode_data
from tolman.benchmarks.theory_of_space.replay.episode_page import episode_file
from tolman.benchmarks.theory_of_space.runs import score_record
from tolman.harness.records import Call
from tolman.report.replies import LONGEST, LONGEST_TOGETHER, Shortener


def test_a_default_episode_fits_into_250_kilobytes_and_holds_its_data_once(tmp_path: Path):
    of = scout()
    page = write(tmp_path, of).read_text(encoding="utf-8")
    assert len(page.encode()) < 250_000
    (inline,) = re.findall(r'<script type="application/json" id="episode">(.*?)</script>', page, re.DOTALL)
    assert json.loads(inline) == {**json.loads(json.dumps(episode_data(score_record(of), insight(of)))), "explorer": ""}
    assert "http:" not in page
    assert "https:" not in page


@pytest.mark.parametrize("name", ["../../outside", "a/b", "..", "", "<script>", "C:\\x", "x" * 500, "nul\0"])
def test_whatever_a_scene_is_called_its_page_is_a_plain_file_in_the_folder(tmp_path: Path, name: str):
    path = write(tmp_path, called(passive(), name))
    assert path.parent == tmp_path / "episodes"
    assert path.name == episode_file(name)
    assert re.fullmatch(r"[A-Za-z0-9_-]+\.html", path.name)
    assert path.is_file()


def test_no_text_of_a_model_can_end_the_script_that_holds_it(tmp_path: Path):
    nasty = "</script><script>alert(1)</script><!-- <script> \u2028 \ud800 &amp; {{ 7 * 7 }} {% raw %}"
    page = write(tmp_path, saying(passive(), lambda _, reply: nasty + reply), nasty).read_text(encoding="utf-8")
    assert page.count("<script") == page.count("</script>") == 2
    assert "<!-- " not in page
    assert "alert(1)</script>" not in page


def test_a_long_reply_is_cut_in_its_middle_and_says_how_long_it_was():
    shorten = Shortener([])
    assert shorten(None) is None
    assert shorten(Call(name="", reply="short")) == {"text": "short"}
    reply = "beginning " + "x" * 1_000_000 + " end"
    cut = shorten(Call(name="", reply=reply))
    assert cut is not None
    text, end = str(cut["text"]), str(cut["end"])
    assert text.startswith("beginning ")
    assert end.endswith(" end")
    assert len(text) + len(end) == LONGEST
    assert cut["length"] == len(reply)


def test_many_long_replies_are_cut_shorter_so_that_the_page_can_be_opened():
    calls = [Call(name="", reply="y" * 300_000, reasoning="z" * 300_000)] * 50 + [Call(name="", reply="short")]
    cut = [Shortener(calls)(call) for call in calls]
    assert len(json.dumps(cut)) < LONGEST_TOGETHER * 1.2
    assert cut[-1] == {"text": "short"}
