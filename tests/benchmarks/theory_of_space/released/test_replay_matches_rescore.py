"""`tolman rescore` and `tolman eval` score the authors' replies by one path, so that the two can't part."""

from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from tests.benchmarks.theory_of_space.released.run_archives import FOLDER
from tolman.benchmarks.theory_of_space.record import read_record
from tolman.benchmarks.theory_of_space.released.cases import case_id, released_runs
from tolman.benchmarks.theory_of_space.released.replies import released_record
from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.core.rules import PUBLISHED, STRICT
from tolman.harness.evaluation import RunPlan, evaluate
from tolman.harness.records import STORE_KEY

if not FOLDER.is_dir():
    pytest.skip("the released scenes and runs are not beside this checkout", allow_module_level=True)


@pytest.mark.parametrize(
    ("model", "world"),
    [
        ("gemini-3-pro-preview", "text"),
        pytest.param("gpt-5.2", "vision", marks=pytest.mark.slow),
        pytest.param("gpt-5.2", "text", marks=pytest.mark.slow),
        pytest.param("gemini-3-pro-preview", "vision", marks=pytest.mark.slow),
    ],
)
def test_a_replay_through_an_evaluation_has_the_scores_of_a_rescore(
    model: str, world: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    source = f"{FOLDER / 'runs-04-06.tar.xz'}:{model}"
    task = theory_of_space(scenes=source, world=world, rules="published")
    header = evaluate([task], RunPlan(f"replay/{source}", tmp_path / "logs", display="none")).logs[0]
    samples = read_eval_log(header.location, resolve_attachments=True).samples or []
    active = [run for run in released_runs(source) or () if (run.world, run.exploration) == (world, "active")]
    runs = {case_id(run): run for run in active}
    assert {str(sample.id) for sample in samples} == set(runs)
    for sample in samples:
        replayed = read_record(sample.metadata, sample.store[STORE_KEY])
        released = released_record(runs[str(sample.id)])
        for rules in (PUBLISHED, STRICT):
            ours, theirs = replayed.scores(rules), released.scores(rules)
            assert (ours.exploration, ours.maps, ours.revision) == (theirs.exploration, theirs.maps, theirs.revision)
            asked = [a for a in theirs.answers if a.mode == "none" and not a.kind.endswith("_vision")]
            assert list(ours.answers) == asked != []
            assert ours.revision is not None
            assert ours.revision.retention is not None
