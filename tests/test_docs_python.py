"""docs/python.md: every block of Python runs, in order, in one folder, in small worlds; its recipe runs too."""

import asyncio
import re
from pathlib import Path
from types import ModuleType

import pytest

import tolman as tm

PAGE = (Path(__file__).parents[1] / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS: list[str] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
(RECIPE,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("INSPECT_CACHE_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_blocks_run_and_print_what_they_say(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert len(BLOCKS) == 4
    for block in BLOCKS:
        small = block.replace("questions=1,", "questions=1, rooms=2, things=2, probe='last',")
        exec(compile(small, "docs/python.md", "exec"), ModuleType("block").__dict__)  # noqa: S102 our own page
    printed = capsys.readouterr().out
    for said in re.findall(r"^print\(\w+\) +# (\w+\(.*\))$", PAGE, re.MULTILINE):
        assert said in printed
    assert "['answers', 'cost', 'information gain', 'last map', 'changes found']" in printed
    assert (folder / "logs" / "repeats").is_dir()


def test_the_recipe_runs_though_an_event_loop_is_running(folder: Path):
    (folder / "run.yaml").write_text(f"{RECIPE}rooms: 2\nthings: 2\nprobe: last\n", encoding="utf-8")

    async def in_a_notebook() -> tm.Results:
        return tm.run_recipe("run.yaml")

    results = asyncio.run(in_a_notebook())
    assert results.models == ("tolman/random", "tolman/scout")
    assert sorted(path.name for path in (folder / "logs" / "recipe").iterdir()) == ["tolman-random", "tolman-scout"]
    assert {row["epoch"] for row in results.scores()} == {1, 2}
