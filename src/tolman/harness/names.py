"""Names of models and runs, as tables show them."""

from collections.abc import Mapping, Sequence

_REPLAY = "replay/"


def printable(text: str) -> str:
    """Text from a log without control characters, which a terminal would act on."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


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
    return [", ".join(f"{name.replace('_', ' ')} {_as_text(run.get(name))}" for name in differing) for run in settings]


def _as_text(value: object) -> str:
    if value is None or value in ("", [], ()):
        return "default"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return "+".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return printable(str(value))
