"""Whatever README.md and docs name exists: modules and what they define, files, headings, commands and their flags."""

import ast
import re
import shlex
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest
from cyclopts import App

from tolman.cli.app import app
from tolman.harness.registry import BENCHMARKS, find_benchmark

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "design").glob("*.md"))]
FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
LINK = re.compile(r"\]\(([^()\s]+)\)")
DOTTED = re.compile(r"(?<![\w./-])(tolman(?:\.[A-Za-z_]\w*)+)(/\d+)?")
"""A dotted name; with a slash and a number behind it, it is the name of a file format, such as `tolman.scene/1`."""
FLAG = re.compile(r"--?[A-Za-z][\w-]*")
OTHER_PROGRAMS = {
    "--slow": "pytest",
    "--made": "benchmarks/sparrta_check.py",
    "--samplers": "llama-server",
    "--top-k": "llama-server",
    "--prompt-type": "the authors' OSR-Bench runner",
}
"""Flags that pages name alone and that are not of the command line."""
OTHER_NAMES = {
    "JumpTo": "the authors' word for Goto",
    "DataLoader": "torch",
    "load_dataset": "datasets",
    "AsyncVectorEnv": "Gymnasium",
    "GymImageEnv": "VAGEN",
    "EgoFront": "the authors' code",
    "CroCo": "a network, whose file is named after it",
}
"""Names that pages give and that are not of the package."""
ALWAYS = {"--help", "--version"}

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


class Command(NamedTuple):
    """A command as a page writes it, taken apart."""

    path: tuple[str, ...]
    flags: tuple[str, ...]


def blocks(page: Path) -> list[tuple[str, str]]:
    """Language and content of the fenced blocks of a page."""
    return FENCED.findall(page.read_text(encoding="utf-8"))


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


NEEDS = {"tolman.env.openenv": "openenv"}
"""Modules that need a package of an extra; where it is missing, only their file is looked for."""


def resolve(name: str) -> object:
    """The module, or what a module defines, that has a dotted name; raises where there is none."""
    for package, needed in NEEDS.items():
        if f"{name}.".startswith(f"{package}.") and find_spec(needed) is None:
            folder, rest = ROOT / "src" / package.replace(".", "/"), name.removeprefix(package).strip(".")
            code = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
            if rest and not (folder / f"{rest}.py").is_file() and not re.search(rf"\b(class|def) {rest}\b", code):
                raise AttributeError(name)
            return folder
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:end]))
        except ModuleNotFoundError as error:
            if error.name is None or not name.startswith(error.name):
                raise
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        return found
    raise ModuleNotFoundError(name)


@pages
def test_dotted_names_resolve(page: Path) -> None:
    for name, version in DOTTED.findall(page.read_text(encoding="utf-8")):
        if not version:
            resolve(name)


def test_a_missing_name_is_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        resolve("nothing.of.this")
    with pytest.raises(AttributeError):
        resolve("tolman.world.nothing_of_this")
    assert DOTTED.findall("`tolman.scene/1`") == [("tolman.scene", "/1")]
    assert DOTTED.findall("It is tolman.world.Scene.") == [("tolman.world.Scene", "")]


@pages
def test_python_blocks_parse_and_import(page: Path) -> None:
    for code in (code for language, code in blocks(page) if language == "python"):
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "tolman":
                for alias in node.names:
                    resolve(f"{node.module}.{alias.name}")


@cache
def defined() -> frozenset[str]:
    """Names of the classes and functions of the package."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    return frozenset(re.findall(r"\b(?:class|def) (\w+)", code)) | frozenset(
        re.findall(r"^(\w+) = ", code, re.MULTILINE)
    )


@pages
def test_classes_and_functions_in_the_text_are_defined(page: Path) -> None:
    """Names in two humps (`CognitiveMap`), and with underscores where they are called (`read_actions(text)`)."""
    for code in INLINE.findall(prose(page)):
        for name in re.findall(r"\b((?:[A-Z][a-z]+){2,})\b(?!-)|\b([a-z]+(?:_[a-z]+)+)\(", code):
            assert "".join(name) in defined() | set(OTHER_NAMES), f"`{code}`: {''.join(name)} is not defined"


# ---- files and headings ----


def anchors(page: Path) -> set[str]:
    """Headings of a page as GitHub links to them."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"`", "", each)).strip().lower().replace(" ", "-") for each in headings}


@pages
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(prose(page)):
        if "://" in link or link.startswith("mailto:"):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{link} does not exist"
        assert not anchor or anchor in anchors(target), f"{link}: no such heading"


@pages
def test_files_in_the_text_exist(page: Path) -> None:
    places = [ROOT, ROOT / "src" / "tolman", *(ROOT / "src" / "tolman" / "benchmarks").glob("*")]
    for word in INLINE.findall(prose(page)):
        if re.fullmatch(r"[a-z_]+(/[a-z\d_.]+)+\.(py|toml)", word):
            assert any((place / word).exists() for place in places), f"{word} does not exist"
    text = re.sub(r"\S*/[A-Z]+\b\S*", "", page.read_text(encoding="utf-8"))  # `heads/NAME.py` is yet to be written
    for word in re.findall(r"(?<![\w/])(?:src|tests|examples|docs)/[\w/.-]+\.\w+|python benchmarks/\w+\.py", text):
        assert (ROOT / word.removeprefix("python ")).exists(), f"{word} does not exist"
    for word in re.findall(r"python -m (benchmarks\.\w+)", text):
        assert (ROOT / f"{word.replace('.', '/')}.py").exists(), f"{word} does not exist"


# ---- commands and flags ----


def written_commands(page: Path) -> Iterator[str]:
    """Commands of `tolman` in console blocks, in blocks without a language, and in inline code."""
    for language, code in blocks(page):
        if language in ("console", ""):
            for line in code.replace("\\\n", " ").splitlines():
                yield from (part for part in re.split(r";\s|&&", line.partition(" #")[0]))
    yield from INLINE.findall(prose(page))


def words_of(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # an apostrophe that quotes nothing
        return text.split()


def taken_apart(words: list[str]) -> Command | None:
    """The command of a line and its flags; none where the line is of another program."""
    if len(words) < 2 or words[0].removeprefix(".venv/bin/") != "tolman":
        return None
    path: list[str] = []
    place = app
    for word in words[1:]:
        if not re.fullmatch(r"[a-z][a-z-]*", word) or word not in set(place):
            break
        path.append(word)
        place = place[word]
    flags = [word.partition("=")[0] for word in words if FLAG.fullmatch(word.partition("=")[0])]
    return Command(tuple(path), tuple(flags))


INSTALL = "--install-completion"
"""A command that looks like a flag."""


@cache
def flags_of(path: tuple[str, ...]) -> frozenset[str]:
    """Flags of a command; of a group of commands, its own and those of all of them."""
    place: App = app
    for name in path:
        place = place[name]
    parts = [name for name in place if not name.startswith("-") or name == INSTALL]
    found = {flag for name in parts for flag in flags_of((*path, name))}
    if place.default_command is not None:
        found |= {name for argument in place.assemble_argument_collection() for name in argument.names}
    return frozenset(found)


@pages
def test_commands_and_their_flags_exist(page: Path) -> None:
    for text in written_commands(page):
        command = taken_apart(words_of(text))
        if command is None or text.split()[1] in ("COMMAND", "--help", "--version", INSTALL):
            continue
        assert command.path, f"{text}: no such command"
        missing = [flag for flag in command.flags if flag not in flags_of(command.path) | ALWAYS]
        assert not missing, f"{text}: tolman {' '.join(command.path)} has no {', '.join(missing)}"


@pages
def test_flags_in_the_text_exist(page: Path) -> None:
    known = flags_of(()) | ALWAYS | {INSTALL} | set(OTHER_PROGRAMS)
    for text in INLINE.findall(prose(page)):
        if text.startswith("--"):
            for word in words_of(text):
                flag = word.partition("=")[0]
                assert not FLAG.fullmatch(flag) or flag in known, f"`{text}`: no command has {flag}"


@pages
def test_arguments_of_inspect_exist(page: Path) -> None:
    tasks = {each.replace("-", "_"): each for each in BENCHMARKS}
    for text in written_commands(page):
        found = re.match(r"inspect eval tolman/(\w+)", text)
        if found:
            benchmark = find_benchmark(tasks[found[1]])
            known = {
                each.name for part in (benchmark.selection_class, benchmark.options_class) for each in fields(part)
            }
            for name in re.findall(r"-T (\w+)=", text):
                assert name in known, f"{text}: {benchmark.name} has no option {name}"
