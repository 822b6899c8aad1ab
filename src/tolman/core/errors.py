"""The exception hierarchy. Everything Tolman raises on purpose is a `TolmanError`."""

from importlib import import_module
from typing import Any


class TolmanError(Exception):
    """An input is invalid; the message says which one and what to do about it."""


class SettingsError(TolmanError):
    """A setting is out of range or two settings contradict each other."""


class GenerationError(TolmanError):
    """No world with these settings could be generated from this seed."""


class SceneFileError(TolmanError):
    """A scene file is missing, damaged, or of an unknown format."""


class UnknownNameError(TolmanError):
    """A thing, door, agent or rule set with that name does not exist here."""


class ReplayError(TolmanError):
    """A recorded episode does not replay to what was recorded."""


class RenderError(TolmanError):
    """A picture can't be rendered here: a library, a driver or an asset is missing or damaged."""


class ServerError(TolmanError):
    """A model's server refused a request or timed out; the message ends with the server's own."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C was pressed; the message reports the progress so far."""


def optional_library(name: str, missing: str, error: type[TolmanError] = SettingsError) -> Any:
    """A library that need not be installed; `missing` says what needs it, and how to get it."""
    try:
        return import_module(name)
    except ImportError:
        raise error(missing) from None


def interrupt_behind_error(error: BaseException) -> KeyboardInterrupt | None:
    """The interrupt among an error's causes, if any: rendering engines wrap it in errors of their own."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__ or cause.__context__
    return cause
