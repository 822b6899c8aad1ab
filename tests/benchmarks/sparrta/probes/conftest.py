"""One tiny real run of probes, and one report of it."""

from dataclasses import dataclass
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from tests.benchmarks.sparrta.probes.tiny_probe_runs import whole_run  # noqa: E402
from tolman.cli.show import report  # noqa: E402

torch.set_num_threads(1)


@dataclass(frozen=True)
class Written:
    """A folder of results, and the report of it."""

    probes: Path
    report: Path


@pytest.fixture(scope="session")
def probes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole_run(tmp_path_factory.mktemp("sparrta"))


@pytest.fixture(scope="session")
def written(probes: Path) -> Written:
    out = probes.parent / "report"
    report([probes], out=out)
    return Written(probes, out)
