"""One small report of real logs, written once for all tests that look at it."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.benchmarks.theory_of_space.logged_runs import passive, sample, write_log
from tests.benchmarks.theory_of_space.scripted_runs import scripted_scene
from tolman.benchmarks.theory_of_space.options import Options
from tolman.cli.show import report

OPTIONS = Options(questions=1)
SEEDS = range(3)
RUNS = (("tolman/scout", OPTIONS), ("tolman/random", OPTIONS), ("tolman/scout", passive(OPTIONS)))


@dataclass(frozen=True)
class Written:
    """A report and the logs that it is of."""

    logs: Path
    site: Path

    @property
    def index(self) -> Path:
        return self.site / "index.html"


def write_logs(folder: Path) -> None:
    for model, options in RUNS:
        scenes = [scripted_scene(model.removeprefix("tolman/"), seed, options) for seed in SEEDS]
        write_log(folder, [sample(scene) for scene in scenes], model=model, options=options)


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    folder = tmp_path_factory.mktemp("report")
    write_logs(folder / "logs")
    report([folder / "logs"], out=folder / "site", jobs=1)
    return Written(folder / "logs", folder / "site")
