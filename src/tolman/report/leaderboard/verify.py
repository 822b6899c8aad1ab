"""Work out every score of an entry again from its replies, and refuse it where a single one is not as claimed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import cast

from tolman import __version__
from tolman.benchmarks.theory_of_space.case import Case, case_to_dict
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.errors import TolmanError
from tolman.report.leaderboard.entry import Claim, Entry, EntryScene
from tolman.report.leaderboard.entry_cases import CaseMaker, Splits
from tolman.report.leaderboard.entry_options import read_options
from tolman.report.leaderboard.items import items
from tolman.report.leaderboard.protocol_calls import record_faults
from tolman.report.leaderboard.refused import EntryRefused, differing
from tolman.report.names import printable
from tolman.report.theory_of_space.figures import RULES, Figures, Measured, figures
from tolman.report.theory_of_space.logs import FinishedScene, Run, finish
from tolman.report.track import Track, silently
from tolman.rules import RuleSetName
from tolman.seeds import digest
from tolman.world import Scene


@dataclass(frozen=True)
class Verified:
    """An entry whose numbers are its own, without its replies."""

    entry: Entry
    """What it says about itself; it has no scenes any more."""
    options: Options
    cases: Mapping[str, str]
    """Digests of its cases, by id: of the scene, its questions with their truths, and what changes in it."""
    seeds: tuple[int, ...]
    """Where they are public."""
    size: str
    """How large the scenes are, in words."""
    measured: Mapping[RuleSetName, Measured]
    """Recomputed."""

    @property
    def from_seeds(self) -> bool:
        """Whether anyone can make its scenes again; if not, they are only what the entry says they are."""
        return self.entry.split.kind != "files"


def verify(entry: Entry, splits: Splits, track: Track = silently) -> Verified:
    """Check an entry; `EntryRefused` names the first item that differs, and how many do."""
    options = read_options(cast("Mapping[str, object]", entry.options))
    maker = CaseMaker.of(entry, options, splits)
    finished: list[FinishedScene] = []
    faults: list[str] = []
    for scene in track(entry.scenes, printable(entry.name)):
        logged = ScoredCase(maker.case(scene), options, scene.record)
        done, found = _scene(scene, logged, whole=entry.split.kind != "files")
        finished.append(done)
        faults += found
    settings: dict[str, object] = {**options.as_dict(), **entry.worlds.model_dump(), **entry.generation}
    known = figures(Run(entry.model, options, finished, [], len(finished), settings))
    _refuse(entry, [*faults, *_summary_faults(entry, known)])
    return Verified(
        entry=entry.model_copy(update={"scenes": []}),
        options=options,
        cases={done.id: case_digest(done.logged.case) for done in finished},
        seeds=tuple(scene.seed for scene in entry.scenes if scene.seed is not None),
        size=_size([done.logged.case.scene for done in finished]),
        measured=known.measured,
    )


def _scene(scene: EntryScene, logged: ScoredCase, *, whole: bool) -> tuple[FinishedScene, list[str]]:
    """A scene scored again, and what is not as claimed."""
    place = f"scene {scene.id}"
    try:
        broken = [f"{place}, {fault}" for fault in record_faults(logged, whole=whole)]
        done = finish(logged)
    except TolmanError as error:
        raise EntryRefused(f"{place}: {printable(str(error))}") from None
    found = (differing(place, scene.scores.get(rules, {}), items(logged, done.scores[rules]), rules) for rules in RULES)
    return done, [*broken, *chain.from_iterable(found)]


def case_digest(case: Case) -> str:
    """Of all that a model is asked in a scene, and of what is right: two cases that differ in a truth differ here."""
    return digest(case_to_dict(case))


def _size(scenes: Sequence[Scene]) -> str:
    counts = ([len(scene.rooms) for scene in scenes], "rooms"), ([len(scene.things) for scene in scenes], "things")
    return ", ".join(f"{min(n)}{f'–{max(n)}' if max(n) > min(n) else ''} {what}" for n, what in counts)


def summary(known: Figures) -> dict[RuleSetName, dict[str, Claim]]:
    """The means and intervals of a run, as an entry claims them."""
    return {rules: _claims(known.measured[rules]) for rules in RULES}


def _claims(measured: Measured) -> dict[str, Claim]:
    return {
        column: Claim(mean=found.mean, low=_known(found.low), high=_known(found.high))
        for column, found in measured.intervals.items()
    }


def _known(value: float) -> float | None:
    return value if value == value else None  # noqa: PLR0124 it is not, if it is NaN


def _summary_faults(entry: Entry, known: Figures) -> Iterator[str]:
    found = summary(known)
    for rules in RULES:
        yield from differing("summary", _flat(entry.summary.get(rules, {})), _flat(found[rules]), rules)


def _flat(claims: Mapping[str, Claim]) -> dict[str, float]:
    ends = {(column, part): getattr(claim, part) for column, claim in claims.items() for part in Claim.model_fields}
    return {f"{part} of {column}": value for (column, part), value in ends.items() if value is not None}


def _refuse(entry: Entry, faults: list[str]) -> None:
    if not faults:
        return
    others = f" ({len(faults)} items differ)" if len(faults) > 1 else ""
    version = "" if entry.tolman == __version__ else f"; it was written by Tolman {entry.tolman}, this is {__version__}"
    raise EntryRefused(f"{printable(faults[0])[:300]}{others}{version}")
