"""A set of multiple-choice questions from a benchmark's cases, with what every export says about it, and its
manifest; and the formats of other harnesses: each writes a set, and most read the results that the harness writes for
it.

The manifest (`tolman-export.json`) names the cases and the choices, so that results of another harness become logs.
"""

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import ClassVar, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tolman import __version__
from tolman.core.errors import SceneFileError, SettingsError, TolmanError
from tolman.core.files import atomic_write, read_json
from tolman.core.seeds import canonical_json, digest, is_secret
from tolman.harness.benchmark import AnyBenchmark
from tolman.harness.benchmark import ShowProgress as Show
from tolman.harness.export.blind import BlindAccuracy, blind_accuracies, without_guessable
from tolman.harness.export.items import (
    AnySource,
    ChoiceItem,
    ItemPicture,
    PassiveItem,
    Provenance,
    arrange,
    draw_choices,
)
from tolman.harness.names import counted
from tolman.harness.options import from_record, read_options, recorded
from tolman.harness.origins import export_command
from tolman.harness.registry import BENCHMARKS, find_benchmark, load
from tolman.harness.wordings import checked_wordings, find_wordings

MANIFEST = "tolman-export.json"
CANARY = "tolman-canary 6b0e7d2c-54a1-4c0e-9f0b-3f8f2a6f1d97"
CANARY_NOTE = f"Test data of a benchmark, not to be used for training. {CANARY}"
PICTURE = "[picture {number}]"
"""Stands for a picture in the text; pictures are numbered from 1 in each question."""


@dataclass(frozen=True)
class ExportOptions:
    """How the questions of an export are chosen and arranged."""

    name: str = ""
    """Name of the set in the other harness. Default: tolman_BENCHMARK."""
    limit: int | None = None
    """Maximum number of questions, taken from all cases in turn."""
    balance: bool = True
    """Drop questions whose answer is so frequent that it could be guessed."""
    answers: bool = True
    """Write the right answers; a sealed set never has them."""
    choice_seed: int = 0
    """Seed of the wrong answers and of the order of the choices."""

    def __post_init__(self) -> None:
        if self.name and not self.name.replace("_", "").replace("-", "").isalnum():
            raise SettingsError(f"a name has letters, digits, - and _ only, not {self.name!r}")
        if self.limit is not None and self.limit < 1:
            raise SettingsError(f"--limit is at least 1, not {self.limit}")


@dataclass(frozen=True)
class ExportedSet:
    """All that a writer of a format needs."""

    benchmark: AnyBenchmark
    source: AnySource
    name: str
    items: Sequence[ChoiceItem]
    left_out: Counter[str]
    """Questions that could be guessed, or have too few wrong answers, by kind."""
    provenance: Provenance
    has_answers: bool
    pictures: dict[str, ItemPicture] = field(default_factory=dict[str, ItemPicture])
    """By key, in the order of first use."""

    @property
    def most_choices(self) -> int:
        return max(len(one.choices) for one in self.items)

    @property
    def has_pictures(self) -> bool:
        return bool(self.pictures)

    @cached_property
    def blind(self) -> BlindAccuracy:
        """What strategies reach that have not seen the picture or the log."""
        return blind_accuracies(self.items)

    def text(self, one: ChoiceItem) -> str:
        """The question without its choices; pictures are named by their numbers."""
        numbers = {picture.key: number for number, picture in enumerate(self.pictures_of(one), start=1)}
        alone = len(numbers) == 1
        parts = [
            part if isinstance(part, str) else "" if alone else PICTURE.format(number=numbers[part.key])
            for part in one.item.content
        ]
        return "\n\n".join(filter(None, parts))

    def pictures_of(self, one: ChoiceItem) -> list[ItemPicture]:
        """The pictures of a question, each once."""
        return list({part.key: part for part in one.item.content if isinstance(part, ItemPicture)}.values())

    def answer(self, one: ChoiceItem) -> str:
        """The letter of the right choice; empty in a set without answers."""
        return one.letter if self.has_answers else ""

    @property
    def caveat(self) -> str:
        """Which questions were left out, and how much can be guessed."""
        listed = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in self.left_out.items() if count)
        best, reached = self.blind.best
        return (
            f"Left out, since they could be guessed or have too few wrong answers: {listed or 'none'}. Chance is "
            f"{100 * self.blind.chance:.1f} %; without the picture or the log, {best} reaches {100 * reached:.1f} % "
            f"(standard error of a guess: {100 * self.blind.error:.1f})."
        )

    def about(self) -> str:
        """What the set is, in a paragraph."""
        kinds = Counter(one.item.kind.replace("_", " ") for one in self.items)
        listed = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
        scenes = counted(len({one.item.case for one in self.items}), self.benchmark.unit)
        return (
            f"{self.benchmark.title} as multiple choice: {counted(len(self.items), 'question')} about {scenes} "
            f"({listed}), made by Tolman {__version__}. {self.source.paper} "
            f"{self.provenance.source}"
        )


def find_source(benchmark: str) -> AnySource:
    """What a benchmark gives for an export."""
    known = [name for name, each in BENCHMARKS.items() if each.items]
    if benchmark not in known:
        raise SettingsError(f"{benchmark!r} can't be exported; choose one of {', '.join(known)}")
    return cast("AnySource", load(BENCHMARKS[benchmark].items))


def make_set(name: str, given: Mapping[str, object], how: ExportOptions, show: Show) -> tuple[ExportedSet, "Manifest"]:
    """The set of a benchmark for options given by their names on the command line, and its manifest."""
    benchmark, source = find_benchmark(name), find_source(name)
    words = find_wordings(benchmark, str(given.get("wordings") or ""))
    given = {**given, "wordings": words.label}
    selection = read_options(benchmark.selection_class, given)
    options = source.passive(read_options(benchmark.options_class, given))
    benchmark.prepare(selection, options, show)
    items: list[PassiveItem] = []
    with words.used(benchmark):
        options, cases = benchmark.cases(selection, options)
        for number, case in enumerate(cases):
            show(number, len(cases))
            items += source.items(case, options)
    drawn = draw_choices(items, how.choice_seed, balance=how.balance)
    fair = without_guessable(drawn, how.choice_seed) if how.balance else drawn
    chosen = arrange(_first(fair, how.limit), how.choice_seed)
    left_out = Counter(str(item.kind) for item in items)
    left_out.subtract(str(one.item.kind) for one in fair)
    if not chosen:
        raise SettingsError(f"no question of {benchmark.title} can be exported: choose more {benchmark.unit}s")
    sealed = any(is_secret(one.item.seed) for one in chosen)
    has_answers = how.answers and not sealed
    set_name = how.name or f"tolman_{benchmark.task}"
    pictures = {p.key: p for one in chosen for p in one.item.content if isinstance(p, ItemPicture)}
    made = ExportedSet(
        benchmark, source, set_name, chosen, left_out, source.provenance(selection), has_answers, pictures
    )
    digests = {} if sealed else {benchmark.case_id(case): _case_digest(benchmark, case) for case in cases}
    used = {one.item.case for one in chosen}
    manifest = Manifest(
        format="tolman.export/1",
        tolman=__version__,
        benchmark=name,
        version=source.version,
        name=set_name,
        canary=CANARY,
        selection=recorded(selection),
        options=recorded(options),
        cases={case: digests.get(case, "") for case in dict.fromkeys(map(benchmark.case_id, cases)) if case in used},
        items=[_manifest_item(number, one) for number, one in enumerate(chosen)],
        command=export_command(name, {flag: v for flag, v in given.items() if flag not in source.fixed}, how),
        wordings=dict(words.replaced),
    )
    return made, manifest


def _first(items: Sequence[ChoiceItem], limit: int | None) -> list[ChoiceItem]:
    """At most `limit` questions: the first of each case and kind, then the second, and so on."""
    if limit is None or len(items) <= limit:
        return list(items)
    seen: Counter[tuple[str, str]] = Counter()
    ranked: list[tuple[int, str, int]] = []
    for place, one in enumerate(items):
        key = one.item.case, one.item.kind
        ranked.append((seen[key], digest(one.item.id), place))
        seen[key] += 1
    kept = {place for _, _, place in sorted(ranked)[:limit]}
    return [one for place, one in enumerate(items) if place in kept]


def _case_digest(benchmark: AnyBenchmark, case: object) -> str:
    """Of everything in a case but the place of its picture on disk."""
    values = dict(benchmark.case_to_dict(case))
    values.pop("picture", None)
    return digest(values)[:16]


class ManifestItem(BaseModel):
    """One question of an export."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    index: int
    case: str
    call: str
    kind: str
    choices: list[str] = Field(min_length=2, max_length=26)


class Manifest(BaseModel):
    """What an export holds, without any answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["tolman.export/1"]
    tolman: str
    benchmark: str
    version: str
    name: str
    canary: str
    selection: dict[str, object]
    options: dict[str, object]
    cases: dict[str, str]
    """Digests of the cases by id; empty for sealed ones, whose names tell their commitment."""
    items: list[ManifestItem]
    command: str = ""
    """The command that wrote it, but for format and folder; empty in exports of versions that did not record it."""
    wordings: dict[str, str] = {}
    """Texts of prompts that are not ours, by name."""


def _manifest_item(index: int, one: ChoiceItem) -> ManifestItem:
    item = one.item
    return ManifestItem(index=index, case=item.case, call=item.call, kind=item.kind, choices=list(one.choices))


def write_manifest(manifest: Manifest, folder: Path) -> None:
    """Write the manifest into the folder of an export."""
    atomic_write(folder / MANIFEST, (json.dumps(manifest.model_dump(mode="json"), indent=1) + "\n").encode())


def read_manifest(path: Path) -> Manifest:
    """The manifest in the folder of an export, or the manifest itself."""
    file = path / MANIFEST if path.is_dir() else path
    try:
        return Manifest.model_validate_json(canonical_json(read_json(file)))
    except ValidationError as error:
        raise SceneFileError(f"{file} is no manifest of an export: {error.errors()[0]['msg']}") from None


def cases_of(manifest: Manifest) -> tuple[AnyBenchmark, object, dict[str, object]]:
    """The benchmark of an export, its options, and its cases by id, made again."""
    benchmark = find_benchmark(manifest.benchmark)
    try:
        selection = from_record(benchmark.selection_class, manifest.selection)
        options = from_record(benchmark.options_class, manifest.options)
        with checked_wordings(benchmark, manifest.wordings).used(benchmark):
            options, made = benchmark.cases(selection, options)
    except (TypeError, ValueError) as error:
        raise SceneFileError(f"the options of this export can't be read: {error}") from None
    found = {benchmark.case_id(case): case for case in made}
    for name, expected in manifest.cases.items():
        if name not in found:
            raise TolmanError(f"{benchmark.unit} {name} of this export can't be made again with {manifest.selection}")
        if expected and expected != _case_digest(benchmark, found[name]):
            raise TolmanError(
                f"{benchmark.unit} {name} is not the one that was exported; use Tolman {manifest.tolman}, the same data"
            )
    return benchmark, options, {name: found[name] for name in manifest.cases}


FormatName = Literal["vlmevalkit", "lmms-eval", "hf"]
ResultFormat = Literal["vlmevalkit", "lmms-eval"]
_PLACES: dict[FormatName, str] = {
    "vlmevalkit": "vlmevalkit:VLMEVALKIT",
    "lmms-eval": "lmms_eval:LMMS_EVAL",
    "hf": "huggingface:HUGGING_FACE",
}


@dataclass(frozen=True)
class ImportedReply:
    """A model's reply to one question, and the score that the harness gave it, where it tells one."""

    index: int
    reply: str
    score: float | None = None


@dataclass(frozen=True)
class ImportedRun:
    """All replies of one model in a file of results."""

    model: str
    replies: list[ImportedReply]
    file: Path


class ExportFormat(ABC):
    """One format."""

    name: ClassVar[str]
    title: ClassVar[str]

    @abstractmethod
    def write(self, made: ExportedSet, folder: Path, show: Show) -> list[str]:
        """Write all files but the manifest; returns the commands that run the set."""

    def read(self, path: Path, manifest: Manifest) -> list[ImportedRun]:
        """The runs in a file or folder of results."""
        del path, manifest
        raise SettingsError(f"results of {self.title} are Inspect logs, which need no import")


def find_format(name: FormatName) -> ExportFormat:
    """The format of a name."""
    module, _, attribute = _PLACES[name].partition(":")
    return cast("ExportFormat", getattr(import_module(f"{__package__}.{module}"), attribute))


def found_files(path: Path, fits: Callable[[Path], bool]) -> list[Path]:
    """The file that is given, or the fitting ones in a folder, the newest of each name."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise SettingsError(f"there is no {path}; name a file or folder of results")
    found = (file for file in path.rglob("*") if file.is_file() and fits(file))
    newest = {file.name: file for file in sorted(found, key=lambda file: (file.stat().st_mtime, str(file)))}
    if not newest:
        raise SettingsError(f"{path} holds no results of this export; name the file of predictions itself")
    return list(newest.values())
