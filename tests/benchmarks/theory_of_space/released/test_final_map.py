"""Of the released replies the map after `FINAL ANSWER:` is read, not a draft of it in the thoughts."""

from collections.abc import Iterator

import pytest

from tests.benchmarks.theory_of_space.released.run_archives import FOLDER
from tolman.belief.map_parsing import NoMap, read_global_map
from tolman.benchmarks.theory_of_space.released.run_files import find_runs
from tolman.core.rules import STRICT

if not FOLDER.is_dir():
    pytest.skip("the released scenes and runs are not beside this checkout", allow_module_level=True)


def stated_maps() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Replies of the first archive that state a map while exploring, with the names of their worlds."""
    for run in find_runs(min(FOLDER.glob("*.tar.xz"))):
        if run.exploration == "active":
            names = tuple(item.name for item in (*run.history.room.objects, *run.history.room.gates))
            for turn in run.exploration_turns:
                for probe in ("global", "local"):
                    yield str(turn.cogmap_log.get(probe, {}).get("original_response", "")), (*names, "agent")


def test_the_final_map_is_read_and_no_draft():
    compared = drafts = 0
    for reply, names in stated_maps():
        thoughts, mark, final = reply.rpartition("FINAL ANSWER:")
        alone = read_global_map(final, names, STRICT)
        if mark and not isinstance(alone, NoMap):
            assert read_global_map(reply, names, STRICT) == alone
            compared += 1
            drafts += not isinstance(read_global_map(thoughts, names, STRICT), NoMap)
    assert compared > 100
    assert drafts > 0
