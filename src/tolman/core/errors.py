"""The one tree of errors. Everything Tolman raises on purpose is a `TolmanError`."""


class TolmanError(Exception):
    """Something was wrong with an input; the message says which and what to do about it."""


class SettingsError(TolmanError):
    """A setting is out of range or two settings contradict each other."""


class GenerationError(TolmanError):
    """No world with these settings could be made from this seed."""


class SceneFileError(TolmanError):
    """A scene file is missing, damaged, or was not written by a known program."""


class UnknownNameError(TolmanError):
    """A thing, door, agent or rule set with that name does not exist here."""


class ReplayError(TolmanError):
    """A recorded episode does not replay to what was recorded."""


class RenderError(TolmanError):
    """A picture can't be made here: a library, a driver or an asset is missing or damaged."""


class ServerError(TolmanError):
    """A model's server refuses, or has not answered for too long; the message ends with what it said."""


class Interrupted(KeyboardInterrupt):
    """Somebody pressed Ctrl-C; the message says how far things have come."""


def interrupt_behind_error(error: BaseException) -> KeyboardInterrupt | None:
    """The interrupt that an error came from, if it did: engines wrap one in errors of their own."""
    seen: BaseException | None = error
    while seen is not None and not isinstance(seen, KeyboardInterrupt):
        seen = seen.__cause__ or seen.__context__
    return seen
