"""Prompts in other words than ours: a folder of texts with the names and gaps of our own, checked before any call."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from string import Template

from tolman.core.errors import SettingsError
from tolman.core.files import atomic_write
from tolman.core.limits import MIB, read_file
from tolman.core.seeds import digest
from tolman.core.wording import Wording, own_wording, replaced_wordings
from tolman.harness.benchmark import AnyBenchmark
from tolman.harness.names import printable

LISTING = "README.md"
"""File of a folder of wordings that lists the gaps; it is written with our own texts, and not read."""
PICTURE = "<image>"
"""Mark of a text in place of which its picture is sent."""
_SHOWN_DIGITS = 12


@dataclass(frozen=True)
class WordingFile:
    """One text of a benchmark."""

    package: str
    name: str
    optional: tuple[str, ...]
    """Gaps that another text may leave out."""

    @property
    def own(self) -> Wording:
        return own_wording(self.package, self.name)

    @property
    def needed(self) -> tuple[str, ...]:
        """Gaps, and the mark of a picture, that every text must have."""
        marks = (PICTURE,) if PICTURE in self.own.text else ()
        return (*(f"${gap}" for gap in self.own.gaps if gap not in self.optional), *marks)

    @property
    def may(self) -> tuple[str, ...]:
        """Gaps that a text may have or leave out."""
        return tuple(f"${gap}" for gap in self.own.gaps if gap in self.optional)

    def check(self, text: str, where: str) -> None:
        """Refuse a text with a gap that is never filled, or without one that it must have."""
        if not Template(text).is_valid():
            raise SettingsError(f"{where} has a $ that begins no gap; write $$ for a dollar sign")
        gaps = Wording(text).gaps
        if unknown := [gap for gap in gaps if gap not in self.own.gaps]:
            known = ", ".join(f"${gap}" for gap in self.own.gaps) or "no gaps"
            raise SettingsError(f"{where} has the gap ${unknown[0]}, and {self.name}.txt has {known}")
        there = {*(f"${gap}" for gap in gaps), *((PICTURE,) if PICTURE in text else ())}
        if missing := [gap for gap in self.needed if gap not in there]:
            raise SettingsError(f"{where} lacks the gap {missing[0]}, without which the prompt says too little")


@dataclass(frozen=True)
class WordingsInForce:
    """The texts of a benchmark that a run uses."""

    digest: str
    """Of all texts, replaced or not: 64 hexadecimal digits."""
    label: str = ""
    """Name of the folder and the first digits of the digest; empty where all texts are ours."""
    replaced: Mapping[str, str] = field(default_factory=dict[str, str])
    """Texts that differ from ours, by name."""

    def used(self, benchmark: AnyBenchmark) -> AbstractContextManager[None]:
        """A context in which prompts of the benchmark are made of these texts."""
        known = wording_files(benchmark)
        texts = {(known[name].package, name): Wording(text) for name, text in self.replaced.items()}
        return replaced_wordings(texts)


def wording_files(benchmark: AnyBenchmark) -> dict[str, WordingFile]:
    """The texts of a benchmark by name."""
    found: dict[str, WordingFile] = {}
    for package in benchmark.wording_packages:
        names = sorted(file.name for file in (files(package) / "wordings").iterdir() if file.name.endswith(".txt"))
        for name in (name.removesuffix(".txt") for name in names):
            found[name] = WordingFile(package, name, tuple(benchmark.optional_gaps.get(name, ())))
    return found


def find_wordings(benchmark: AnyBenchmark, folder: str) -> WordingsInForce:
    """The texts in force: those of a folder, checked, and ours where it has none. An empty name stands for ours."""
    known = wording_files(benchmark)
    given = _read(Path(folder), known) if folder else {}
    replaced = {name: text for name, text in given.items() if text != known[name].own.text}
    whole = digest({name: replaced.get(name, each.own.text) for name, each in known.items()})
    if not replaced:
        return WordingsInForce(whole)
    name = printable(Path(folder).resolve().name)[:60]
    return WordingsInForce(whole, f"{name} {whole[:_SHOWN_DIGITS]}", replaced)


def checked_wordings(benchmark: AnyBenchmark, texts: Mapping[str, str]) -> WordingsInForce:
    """Texts by name that a file holds, and ours for the others; unknown names and wrong gaps are refused."""
    known = wording_files(benchmark)
    for name, text in texts.items():
        if name not in known:
            raise SettingsError(f"{printable(name)[:60]} is not a wording of this benchmark")
        known[name].check(text, f"the wording {name}")
    return WordingsInForce("", replaced=texts)


def _read(folder: Path, known: Mapping[str, WordingFile]) -> dict[str, str]:
    if not folder.is_dir():
        raise SettingsError(f"there is no folder {folder} of wordings; `tolman wordings` writes ours as a start")
    texts: dict[str, str] = {}
    for path in sorted(folder.iterdir()):
        if path.name == LISTING or path.name.startswith("."):
            continue
        if path.suffix != ".txt" or path.stem not in known:
            close = get_close_matches(path.stem, known, n=1)
            hint = f"; did you mean {close[0]}.txt?" if close else "; `tolman wordings` lists the names"
            raise SettingsError(f"{path} is not a wording of this benchmark{hint}")
        try:
            text = read_file(path, MIB).decode("utf-8").strip()
        except UnicodeDecodeError:
            raise SettingsError(f"{path} is not text in UTF-8") from None
        if not text:
            raise SettingsError(f"{path} is empty")
        known[path.stem].check(text, str(path))
        texts[path.stem] = text
    if not texts:
        raise SettingsError(f"{folder} holds no wordings (*.txt); `tolman wordings` writes ours as a start")
    return texts


def write_wordings(benchmark: AnyBenchmark, out: Path) -> int:
    """Write our own texts and the list of their gaps into a new folder; returns the number of texts."""
    known = wording_files(benchmark)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise SettingsError(f"{out} is there already; name a folder that is new or empty")
    out.mkdir(parents=True, exist_ok=True)
    for name, each in known.items():
        atomic_write(out / f"{name}.txt", f"{each.own.text}\n".encode())
    rows = [f"| `{name}.txt` | {_code(each.needed)} | {_code(each.may)} |" for name, each in known.items()]
    lines = [
        f"# Wordings of {benchmark.title}",
        "",
        "Texts that prompts are made of. A gap such as `$brief` is filled in when a prompt is made; `$$` is a dollar",
        "sign. A file that is deleted here stands for our own text.",
        "",
        *("| file | gaps it must have | gaps it may have |", "|---|---|---|"),
        *rows,
        "",
    ]
    atomic_write(out / LISTING, "\n".join(lines).encode())
    return len(known)


def _code(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
