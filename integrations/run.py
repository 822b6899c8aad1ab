"""Run every export through the real library that it is for, with a scripted model, and compare accuracies.

`make integrations` calls it. Each library has an environment of its own under `.integrations/`, since their pins clash;
it is made once (about 5 GB in all). Everything after the installation runs without network.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PLACE = ROOT / ".integrations"
sys.path[:0] = [str(ROOT), str(HERE)]

from scripted import LETTERS, reply
from tests.benchmarks.osr_bench.tiny_dataset import write_set
from tests.benchmarks.sparrta.painted_scenes import painted

from tolman.world import WorldSettings
from tolman.world.select import seal, write_sealed

TORCH = "torch==2.13.0"
"""Installed first, so that nothing pulls in another build."""


@dataclass(frozen=True)
class Library:
    """A harness, the steps that install it, and the script that runs a set in it."""

    form: str
    steps: tuple[tuple[str, ...], ...]
    script: str
    imports: str = ""
    """`--from` of `tolman import`, if its results come back."""


LIBRARIES = (
    Library("hf", (("datasets==5.2.0", "mlcroissant==1.1.1", "inspect_ai==0.3.285", "pillow"),), "run_huggingface.py"),
    Library(
        "lmms-eval",
        ((TORCH,), ("lmms-eval==0.7.3",), ("--uninstall", "torchvision")),
        "run_lmms_eval.py",
        "lmms-eval",
    ),
    Library(
        "vlmevalkit",
        ((TORCH,), ("ms-vlmeval==0.0.20",), ("--no-deps", "torchvision==0.28.0")),
        "run_vlmevalkit.py",
        "vlmevalkit",
    ),
)
"""lmms-eval runs without torchvision, whose wheels do not import with a CPU torch; see run_vlmevalkit.py."""


def installed(library: Library) -> Path:
    """The interpreter of a library's environment, which is made if it is missing."""
    folder = PLACE / library.form
    python, done = folder / "bin" / "python", folder / "installed.json"
    if not done.exists() or json.loads(done.read_text()) != [list(step) for step in library.steps]:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        (PLACE / "torch.txt").write_text(f"{TORCH}\n")
        for step in library.steps:
            command = ["uninstall", "-y"] if step[0] == "--uninstall" else ["install", "-c", str(PLACE / "torch.txt")]
            packages = step[1:] if step[0] == "--uninstall" else step
            subprocess.run([str(python), "-m", "pip", *command, "--quiet", *packages], check=True)
        done.write_text(json.dumps(library.steps))
    return python


def tolman(*arguments: str) -> str:
    """The output of a command of Tolman, in this environment."""
    command = [str(Path(sys.executable).with_name("tolman")), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=PLACE).stdout


def sets(work: Path) -> dict[str, tuple[str, ...]]:
    """Arguments of `tolman export` for one set of each sort: words, pictures, several pictures, sealed."""
    write_set(work / "rooms", each=6)
    for number, environment in enumerate(("forest", "desert")):
        painted(work / "pictures", 30, environment=environment, seed=number)
    write_sealed(seal(2, WorldSettings(), "0.1.0"), work / "sealed.json")
    views = ("--world", "vision", "--image-size", "32", "--preset", "draft", "--assets", "built-in")
    return {
        "words": ("theory-of-space", "--scenes", "0-3"),
        "views": (
            "theory-of-space",
            "--scenes",
            "0",
            "--kinds",
            "direction,mental_rotation,view_to_location_vision,view_to_action_vision",
            *views,
        ),
        "rooms": ("osr-bench", "--data", str(work / "rooms")),
        "pictures": ("sparrta", "--data", str(work / "pictures")),
        "sealed": ("theory-of-space", "--scenes", str(work / "sealed.json")),
    }


def run(library: Library, python: Path, name: str, arguments: tuple[str, ...], work: Path) -> str:
    """Export a set, run it in the library, bring the results back; returns a line of figures."""
    task = f"tolman_{name}"
    folder = work / library.form / "ORG" / task
    tolman("export", arguments[0], "--format", library.form, "--out", str(folder), "--name", task, *arguments[1:])
    expected = write_replies(folder, arguments)
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(work / "home"), "PYTHONPATH": str(HERE), "OMP_NUM_THREADS": "1"}
    where = folder if library.form == "lmms-eval" else folder.parent.parent
    ran = subprocess.run(
        [str(python), str(HERE / library.script), str(folder), task],
        capture_output=True, text=True, cwd=where, env={**os.environ, **offline}, check=False,
    )  # fmt: skip
    if ran.returncode:
        raise SystemExit(f"{library.form} failed on {name}:\n{ran.stdout[-3000:]}\n{ran.stderr[-6000:]}")
    found = json.loads(ran.stdout.strip().splitlines()[-1])
    theirs = found["accuracy"]
    if theirs is not None:
        assert abs(theirs - expected) < 1e-9, (library.form, name, theirs, expected)
    ours = None
    if library.imports:
        logs = work / "logs" / library.form / name
        tolman("import", str(folder / "results"), "--from", library.imports, "--export", str(folder),
               "--log-dir", str(logs))  # fmt: skip
        ours = shown_accuracy(logs, work / "numbers.json")
        assert abs(ours - expected) < 1e-9, (library.form, name, ours, expected)
    return f"{library.form:<11} {name:<9} expected {expected:.4f}  {json.dumps(found)}  ours {ours}"


def write_replies(folder: Path, arguments: tuple[str, ...]) -> float:
    """Write the scripted replies beside a set; returns the share of right ones under Tolman's own grader."""
    from tolman.harness.export.exported_set import cases_of, find_source, read_manifest

    manifest = read_manifest(folder)
    _, options, cases = cases_of(manifest)
    source = find_source(arguments[0])
    graders = {item.id: item.score for case in cases.values() for item in source.items(case, options)}
    said: dict[int, str] = {}
    right = 0
    for item in manifest.items:
        scores = [graders[f"{item.case}/{item.call}"](choice) for choice in item.choices]
        best = scores.index(1.0)
        said[item.index] = reply(item.index, item.choices, best)
        letter = next(sign for sign in said[item.index].replace("The answer is", "") if sign in LETTERS)
        right += LETTERS.index(letter) == best
    (folder / "replies.json").write_text(json.dumps(said))
    return right / len(manifest.items)


def shown_accuracy(logs: Path, file: Path) -> float:
    """The share of right answers in logs, as every table reads them."""
    from tolman.report.results import find_sources

    tolman("show", str(logs), "--json", str(file), "--force", "--references", "none")
    (source,) = find_sources([logs], print)
    results = source.reader.read(source.paths, print, lambda things, _: things)
    (run_found,) = results.found if hasattr(results, "found") else results.model_runs
    return _share(run_found)


def _share(run_found: object) -> float:
    scores: list[float] = []
    for case in run_found.cases:  # type: ignore[attr-defined]
        if isinstance(case.scores, tuple):
            scores += [float(answer.right) for answer in case.scores]
        else:
            strict = case.scores["strict"]
            answers = strict.answers if hasattr(strict, "answers") else [one for turn in strict for one in turn.answers]
            scores += [answer.score for answer in answers]
    return sum(scores) / len(scores)


def main() -> None:
    """All sets in all libraries."""
    chosen = set(sys.argv[1:])
    work = PLACE / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    made = sets(work)
    begun = time.monotonic()
    for library in LIBRARIES:
        if chosen and library.form not in chosen:
            continue
        python = installed(library)
        print(f"{library.form}: installed after {(time.monotonic() - begun) / 60:.1f} min", flush=True)
        for name, arguments in made.items():
            print(run(library, python, name, arguments, work), flush=True)
    print(f"All exports ran, and all accuracies are equal: {(time.monotonic() - begun) / 60:.1f} min")


if __name__ == "__main__":
    main()
