"""The whole SpaRRTa protocol on one machine: pictures of all fifteen triples are made while encoders are probed on
those that are finished, the most important cells first.

Everything lands in files: started again it goes on where it stopped, and `tolman show OUT/probes` tells what is there
at any moment. The first triples of all environments come first, so that what is done early speaks of every environment.
Fetch encoders before (`tolman probe fetch NAME`); one that is not there is left out and told of.
"""

import argparse
import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path

from rich.console import Console

from tolman.benchmarks.sparrta.dataset.files import PictureSet, is_complete, picture_paths, read_picture_sets
from tolman.benchmarks.sparrta.dataset.make import PicturePlan, make_pictures
from tolman.benchmarks.sparrta.probes.cells import read_cells
from tolman.benchmarks.sparrta.probes.means import write_results
from tolman.benchmarks.sparrta.probes.run import ProbePlan, run_probes
from tolman.benchmarks.sparrta.sample import TRIPLES, Triple
from tolman.benchmarks.sparrta.scenes.placement import PlacementRules
from tolman.core.errors import TolmanError
from tolman.probing.encoder import Encoder
from tolman.probing.encoders.find import find_encoder

ENCODERS = (
    *("resnet-50", "mobile-sam", "sam2-hiera-tiny", "saliency-vit-s"),
    *("random", "pixels", "efficientnet-lite0", "mobilenet-v2"),
)
LAYERS = {"resnet-50": "1,2,3", "saliency-vit-s": "2,4,6,8,10"}
"""Encoders that are probed before their last layer too, with efficient probing."""
CONTROL = "resnet-50"
"""Is probed on shuffled labels as well."""
WIDE = {"resnet-50"}
"""Encoders with tokens so wide that AbMILP takes as long on them as on all others together."""


@dataclass(frozen=True)
class Job:
    """Some cells of one encoder on one triple. The lowest rank is done first."""

    rank: int
    place: int
    triple: Triple
    encoder: str
    plan: ProbePlan = field(compare=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("protocol"))
    parser.add_argument("--pictures", type=int, default=1667, help="of each triple; 16 pairs of relations take turns")
    parser.add_argument("--workers", type=int, default=-1, help="processes that make pictures; -1 for all cores")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--encoders", default=",".join(ENCODERS))
    parser.add_argument("--triples", default="all", help="names such as desert,forest_2")
    parser.add_argument("--epochs", type=int, help="instead of the protocol's, to try it out")
    chosen = parser.parse_args()
    triples = sorted(TRIPLES, key=lambda triple: triple.number)
    if chosen.triples != "all":
        triples = [triple for triple in triples if triple.name in chosen.triples.split(",")]
    making = multiprocessing.get_context("spawn").Process(
        target=make_all, args=(triples, chosen.pictures, chosen.out / "pictures", chosen.workers)
    )
    making.start()
    try:
        probe_all(triples, chosen, making)
    finally:
        making.join()
    write_results(chosen.out / "probes", read_cells(chosen.out / "probes"))


def make_all(triples: list[Triple], count: int, out: Path, workers: int) -> None:
    """Pictures of one triple after another, with relations taking turns."""
    for triple in triples:
        plan = PicturePlan((triple,), tuple(range(count)), rules=PlacementRules(balanced=True))
        make_pictures(plan, out, lambda _, __: None, workers=workers)


def jobs_of(triples: list[Triple], encoders: list[str], epochs: int | None) -> Iterator[Job]:
    for place, triple in enumerate(triples):
        later = 2 if triple.number == 1 else 4
        for name in encoders:
            yield Job(0, place, triple, name, ProbePlan(("linear", "efficient"), epochs=epochs))
            yield Job(3 if name in WIDE else 1, place, triple, name, ProbePlan(("abmilp",), epochs=epochs))
            if name in LAYERS:
                yield Job(later, place, triple, name, ProbePlan(("efficient",), layers=LAYERS[name], epochs=epochs))
            if name == CONTROL:
                shuffled = ProbePlan(("linear", "efficient"), shuffle_labels=True, epochs=epochs)
                yield Job(later, place, triple, name, shuffled)


def probe_all(triples: list[Triple], chosen: argparse.Namespace, making: BaseProcess) -> None:
    console, begin = Console(), time.monotonic()
    encoders = dict(found_encoders(chosen.encoders.split(","), chosen.device, console))
    jobs = sorted(jobs_of(triples, list(encoders), chosen.epochs), key=lambda job: (job.rank, job.place))
    sets: dict[Triple, PictureSet] = {}
    while jobs:
        over = not making.is_alive()
        for triple in triples:
            if triple not in sets and is_finished(triple, chosen.pictures, chosen.out / "pictures"):
                sets[triple] = picture_set(triple, chosen.out)
        job = next((job for job in jobs if job.triple in sets), None)
        if job is None and over:
            break
        if job is None:
            time.sleep(1)
            continue
        jobs.remove(job)
        try:
            run_probes(
                encoders[job.encoder],
                [sets[job.triple]],
                job.plan,
                chosen.out / "probes",
                chosen.out / "tokens",
                lambda _what, _done, _total: None,
            )
        except (TolmanError, RuntimeError) as error:  # one that fails must not stop the others
            console.print(f"{job.triple.name}, {job.encoder}: {error}", style="red", markup=False)
        console.print(
            f"{time.monotonic() - begin:7.0f} s  {job.triple.name}, {job.encoder}, {','.join(job.plan.heads)}, layers "
            f"{job.plan.layers}; {len(jobs)} to go",
            markup=False,
        )


def found_encoders(names: list[str], device: str, console: Console) -> Iterator[tuple[str, Encoder]]:
    for name in names:
        try:
            yield name, find_encoder(name, None, device)
        except TolmanError as error:
            console.print(str(error), style="red", markup=False)


def is_finished(triple: Triple, count: int, out: Path) -> bool:
    return all(is_complete(picture_paths(out, triple, index)) for index in range(count))


def picture_set(triple: Triple, out: Path) -> PictureSet:
    """Of one triple: others beside it may not be finished yet."""
    alone = out / "finished" / triple.name
    alone.mkdir(parents=True, exist_ok=True)
    if not (alone / triple.name).exists():
        (alone / triple.name).symlink_to((out / "pictures" / triple.name).absolute())
    (found,) = read_picture_sets(alone)
    return found


if __name__ == "__main__":
    main()
