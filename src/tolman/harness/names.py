"""Names of models and runs, as tables show them."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath

_REPLAY = "replay/"


def printable(text: str) -> str:
    """Text from a log without control characters, which a terminal would act on."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def public_path(text: str) -> str:
    """A path as a command that others read names it: as given within the working folder, else by its last name only,
    since a whole path may be private.
    """
    path = PurePath(text)
    return path.name if path.is_absolute() or ".." in path.parts else path.as_posix() if path.name else ""


def folder_name(model: str) -> str:
    """A model's name without characters that have a meaning in paths."""
    return re.sub(r"[^\w.-]+", "-", model).strip("-")


def usual_log_dir(benchmark: str, model: str) -> Path:
    """Where the logs of a model go, unless another folder is given."""
    return Path("logs") / benchmark / folder_name(model)


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun, such as `3 triples`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def seeds_said(seeds: str) -> str:
    """Seeds as they are given on the command line, with their noun: `seed 7`, `seeds 0-9`."""
    return f"{'seed' if seeds.isdecimal() else 'seeds'} {seeds}"


def shown_model(model: str) -> str:
    """A model's name in tables; a replay is named after the model that it replays, without the path of its record."""
    if not model.startswith(_REPLAY):
        return printable(model)
    path, _, replayed = model.removeprefix(_REPLAY).rpartition(":")
    return printable(f"{replayed if path else replayed.rstrip('/').rpartition('/')[2]} (replayed)")


def differences(settings: Sequence[Mapping[str, object]]) -> list[str]:
    """The settings by which several runs differ, for each run, such as `budget 40, think no`; empty if they don't.

    Other words are named once, by their folder and digest.
    """
    names = dict.fromkeys(name for run in settings for name in run)
    differing = [name for name in names if len({str(run.get(name)) for run in settings}) > 1]
    if "wordings" in differing:
        differing = [name for name in differing if name != "wording_digest"]
    return [
        ", ".join(f"{name.replace('_', ' ')} {setting_words(run.get(name))}" for name in differing) for run in settings
    ]


def distinguishing_settings(runs: Sequence[tuple[str, Mapping[str, object]]], usual: Mapping[str, object]) -> list[str]:
    """For each run, by name and settings: those that differ from the usual ones, or from other runs of its name."""
    found = [""] * len(runs)
    for name in dict.fromkeys(name for name, _ in runs):
        places = [place for place, (other, _) in enumerate(runs) if other == name]
        settings = [runs[place][1] for place in places]
        known = {key: value for key, value in usual.items() if key in settings[0]}
        for place, words in zip(places, differences([{**settings[0], **known}, *settings])[1:], strict=True):
            found[place] = words
    return found


def setting_words(value: object, between: str = "+") -> str:
    """The value of a setting in words; a list has this between its parts."""
    if value is None or value in ("", [], ()):
        return "default"
    if isinstance(value, bool):
        return "yes" if value else "no"
    words = between.join(map(str, value)) if isinstance(value, list | tuple) else str(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return printable(words)
