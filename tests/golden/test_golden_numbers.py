"""Numbers that no change of structure may move: tables of kept logs and probes, scores of the authors' released data.

To accept a change of numbers that is meant, delete the file of expected numbers, run this test once, and say why in the
commit.
"""

import json
import math
from pathlib import Path
from typing import Any, cast

import pytest

from tests.command_line import Here
from tolman.core.seeds import digest

GOLDEN = Path(__file__).parent
PUBLISHED = GOLDEN.resolve().parents[2] / "shared" / "published"
SHOWN = {
    "runs": ("runs",),
    "ceilings": ("runs/tos-scout", "--ceilings", "--failures", "--observer", "relations"),
    "probes": ("probes",),
}
RELEASED = {
    "theory-of-space-00-03": "theory-of-space/runs-00-03.tar.xz",
    "theory-of-space-04-06": "theory-of-space/runs-04-06.tar.xz",
    "osr-bench": "osr-bench",
}


@pytest.mark.parametrize("name", SHOWN)
def test_tables_of_kept_logs_hold_the_same_numbers(name: str, here: Here, tmp_path: Path) -> None:
    folder, *options = SHOWN[name]
    done = here("show", GOLDEN / folder, *options, "--json", tmp_path / "numbers.json")
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "numbers.json").read_text())
    kept = GOLDEN / f"{name}.json"
    if not kept.exists():
        kept.write_text(json.dumps(found, separators=(",", ":")))
        pytest.fail(f"{kept.name} was written; look at it, and commit it")
    assert list(_differences(json.loads(kept.read_text()), found)) == []


@pytest.mark.parametrize("name", RELEASED)
def test_released_data_get_the_same_scores(name: str, here: Here, tmp_path: Path) -> None:
    data = PUBLISHED / RELEASED[name]
    if not data.exists():
        pytest.skip("the authors' data are not here")
    done = here("rescore", data, "--json", tmp_path / "numbers.json")
    assert done.returncode == 0, done.stderr
    found = digest(_rounded(json.loads((tmp_path / "numbers.json").read_text())))
    kept = json.loads((GOLDEN / "released.json").read_text())
    assert kept[name] == found


def _differences(expected: Any, found: Any, place: str = "") -> list[str]:
    """Places where two JSON values differ; numbers within one part in a billion are the same."""
    if isinstance(expected, dict) and isinstance(found, dict):
        old, new = cast("dict[str, Any]", expected), cast("dict[str, Any]", found)
        keys = [*old, *(key for key in new if key not in old)]
        return [line for key in keys for line in _differences(old.get(key, "–"), new.get(key, "–"), f"{place}/{key}")]
    if (
        isinstance(expected, list)
        and isinstance(found, list)
        and len(cast("list[Any]", expected)) == len(cast("list[Any]", found))
    ):
        pairs = enumerate(zip(cast("list[Any]", expected), cast("list[Any]", found), strict=True))
        return [line for i, (one, other) in pairs for line in _differences(one, other, f"{place}/{i}")]
    if isinstance(expected, float) and isinstance(found, float):
        same = math.isclose(expected, found, rel_tol=1e-9, abs_tol=1e-12)
    else:
        same = expected == found
    return [] if same else [f"{place}: {json.dumps(expected)[:80]} became {json.dumps(found)[:80]}"]


def _rounded(value: Any) -> Any:
    """Without what does not have to be the same: digits beyond the ninth, and names of tests."""
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in cast("dict[str, Any]", value).items() if key != "shown_by"}
    if isinstance(value, list):
        return [_rounded(each) for each in cast("list[Any]", value)]
    return round(value, 9) + 0.0 if isinstance(value, float) else value
