"""What is published stays as it is when a thing or a probe head is added; what is added works where it is named."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.sparrta.painted_scenes import painted
from tests.command_line import tolman
from tests.world.test_scene_digests import GOLDEN
from tolman.core.seeds import digest
from tolman.probing.protocol import HEADS, PUBLISHED_HEADS, head_names, heads_in_order
from tolman.render.assets.builtin.builder import ASSET_BUILDERS
from tolman.render.assets.builtin.library import builtin_asset
from tolman.render.assets.choose import builtin_source
from tolman.world import generate
from tolman.world.vocabulary import ADDED_KINDS, KIND_BY_NAME, VOCABULARY_V1, ObjectKind

_PAGE = (Path(__file__).parents[1] / "docs" / "extending.md").read_text(encoding="utf-8")
_WITH_A_HEAD = """
import sys
from tolman.probing import heads
from tolman.probing.protocol import HEADS, head_names
heads.__path__.append(sys.argv.pop(1))
assert HEADS == ("linear", "abmilp", "efficient") and head_names()[-1] == "single_query"
from tolman.cli import main
try:
    main()
finally:
    if "--help" in sys.argv:
        assert "torch" not in sys.modules
"""


def test_the_vocabulary_of_generated_scenes_is_frozen():
    stored = [[kind.name, kind.fronted, kind.width, kind.depth, kind.height] for kind in VOCABULARY_V1]
    assert len(stored) == 60
    assert digest(stored) == "152dd65bf14adb3a71bc447e227ed10e1aea0722ed3956305716c2307b21986f"
    assert not {kind.name for kind in ADDED_KINDS} & {kind.name for kind in VOCABULARY_V1}
    assert list(KIND_BY_NAME.values()) == [*VOCABULARY_V1, *ADDED_KINDS]


def test_an_added_thing_has_an_asset_and_changes_no_generated_scene(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(KIND_BY_NAME, "globe", ObjectKind("globe", False, 0.4, 0.4, 0.6))
    monkeypatch.setitem(ASSET_BUILDERS, "globe", lambda stream: builtin_asset("vase", int(stream.integers(9))))
    assert "globe" in builtin_source().kinds()
    low, high = builtin_source().asset("globe", 0).bounds
    assert (high - low)[2] == pytest.approx(0.6, abs=1e-3)
    assert all(generate(seed, settings).digest == found for seed, settings, found in GOLDEN)


def test_the_heads_of_the_tables_are_frozen():
    assert HEADS == ("linear", "abmilp", "efficient")
    assert PUBLISHED_HEADS == ("linear", "abmilp", "efficient", "cls")
    assert tuple(head_names()[: len(PUBLISHED_HEADS)]) == PUBLISHED_HEADS
    assert heads_in_order(["b", "cls", "a", "linear", "b"]) == ["linear", "cls", "a", "b"]


@pytest.mark.slow
def test_an_added_head_is_used_where_it_is_named_and_nowhere_else(tmp_path: Path):
    """One more module in the folder of heads; its results are read where it is not installed."""
    pytest.importorskip("torch")
    block = re.search(r"^## A probe head\n.*?```python\n(.*?)```", _PAGE, re.DOTALL | re.MULTILINE)
    assert block is not None
    (tmp_path / "heads").mkdir()
    (tmp_path / "heads" / "single_query.py").write_text(block[1], encoding="utf-8")

    def with_it(*words: str | Path) -> str:
        done = subprocess.run(
            [sys.executable, "-c", _WITH_A_HEAD, tmp_path / "heads", *words],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "linear,abmilp,efficient,cls,single_query" in "".join(with_it("probe", "--help").split())
    data, out = painted(tmp_path / "pictures", 40), tmp_path / "probes"
    where = ("--data", data, "--out", out, "--store", tmp_path / "tokens", "--layers", "last", "--epochs", "2")
    for probe in ("all", "single_query"):
        with_it("probe", "--encoder", "pixels", *where, "--probe", probe)
        heads = {json.loads(file.read_text())["key"]["head"] for file in (out / "cells").rglob("*.json")}
        assert heads == ({*HEADS} if probe == "all" else {*HEADS, "single_query"})
    with_it("probe", "maps", "--encoder", "pixels", "--data", data, "--out", out, "--pictures", "1")
    assert list((out / "maps").glob("*-single_query.png"))
    shown = tolman("show", out)
    assert shown.returncode == 0, shown.stderr
    assert "single_query" in shown.stdout
    report = tolman("report", out, "--out", tmp_path / "report")
    assert report.returncode == 0, report.stderr
    refused = tolman("probe", "--encoder", "pixels", *where, "--probe", "single_query")
    assert refused.returncode != 0
    assert "there is no probe 'single_query'" in " ".join(refused.stderr.split())
