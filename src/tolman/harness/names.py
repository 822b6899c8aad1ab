"""Names of models and runs, as tables show them."""

from collections.abc import Mapping, Sequence

_REPLAY = "replay/"


def printable(text: str) -> str:
    """Text from a log without what could steer a terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def shown_model(model: str) -> str:
    """A model's name; a replay is named after whom it replays, wherever its record lies."""
    if not model.startswith(_REPLAY):
        return printable(model)
    path, _, replayed = model.removeprefix(_REPLAY).rpartition(":")
    return printable(f"{replayed if path else replayed.rstrip('/').rpartition('/')[2]} (replayed)")


def differences(settings: Sequence[Mapping[str, object]]) -> list[str]:
    """What sets each of several runs apart from the others, such as `budget 40, think no`; empty where nothing does."""
    names = dict.fromkeys(name for known in settings for name in known)
    apart = [name for name in names if len({str(known.get(name)) for known in settings}) > 1]
    return [", ".join(f"{name.replace('_', ' ')} {_shown(known.get(name))}" for name in apart) for known in settings]


def _shown(value: object) -> str:
    if value is None or value in ("", [], ()):
        return "default"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return "+".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return printable(str(value))
