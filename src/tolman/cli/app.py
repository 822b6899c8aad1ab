"""The command line: `tolman COMMAND --help` lists the options of a command. A command is imported when it is called."""

import codecs
import gc
import io
import sys
from collections.abc import Sequence
from typing import cast

from cyclopts import App, CycloptsError, Parameter, UnknownOptionError

from tolman import __version__
from tolman.core.errors import ServerError, TolmanError, interrupt_behind_error


def _shown_default(value: object) -> str | None:
    """A default as help shows it and a command takes it; an empty one is not shown."""
    if isinstance(value, tuple):
        return " ".join(map(str, cast("tuple[object, ...]", value))) or None
    return None if value is None or value == "" else str(value)


app = App(
    name="tolman",
    version=__version__,
    default_parameter=Parameter(show_default=_shown_default, negative_iterable=()),
    help="Measure spatial cognition in foundation models: can they build a map of a world, keep, revise and use it?",
)
COMMANDS = {
    "eval": ("evaluate:eval_app", "Run a benchmark on a model; the same command continues an interrupted run."),
    "doctor": (
        "doctor:doctor",
        "Check what works with a model: text, pictures, reasoning, limits, price and rate.",
    ),
    "show": ("show:show", "Print result tables from logs of evaluations, or from folders of probes."),
    "play": (
        "play:play",
        "Take a benchmark as a person, in the browser; writes the same logs as for a model.",
    ),
    "report": ("show:report", "Write an HTML report from logs of evaluations and folders of probes."),
    "explore": ("scenes:explore", "Run scripted explorers in scenes, and print what they cost and learn."),
    "replay": ("scenes:replay", "Replay recorded episodes, and check them."),
    "scene": ("scenes:scene", "Show one scene: a map, a floor plan, or its JSON."),
    "ask": ("scenes:ask", "Print the questions of a scene."),
    "submit": ("leaderboard:submit", "Write an entry for a leaderboard, from logs."),
    "board": ("leaderboard:board", "Check the entries of a leaderboard, and rank them."),
    "render": ("render:render", "Render every view of scenes, with ids and depth."),
    "make": (
        "make:make_app",
        "Make a data set: panoramas of rooms, generated or annotated (OSR-Bench), or outdoor pictures (SpaRRTa).",
    ),
    "export": (
        "export:export_app",
        "Write a benchmark as a multiple-choice set for VLMEvalKit, lmms-eval or Hugging Face.",
    ),
    "import": ("export:import_results", "Turn results of VLMEvalKit or lmms-eval into logs."),
    "assets": ("assets:assets_app", "Fetch 3D assets of objects, list them, and print their credits."),
    "probe": ("probe:probe_app", "Probe frozen vision encoders for spatial relations between objects."),
    "wordings": ("wordings:wordings", "List the texts that prompts are made of, or write them to a folder."),
    "seal": ("scenes:seal", "Draw secret scenes for a leaderboard, and print a commitment to publish."),
    "unseal": ("scenes:unseal", "Verify that scenes are the ones that were sealed."),
    "calibrate": ("calibrate:calibrate", "Check the ideal observer: expected against obtained scores, and its odds."),
    "rescore": ("show:rescore", "Recompute the scores of the authors' released runs."),
    "baselines": (
        "show:baselines",
        "Print the scores of strategies without knowledge, on every column.",
    ),
}
for number, (command, (place, summary)) in enumerate(COMMANDS.items()):
    app.command(f"tolman.cli.{place}", name=command, help=summary, sort_key=number)

app.register_install_completion_command(  # pyright: ignore[reportUnknownMemberType]
    help="Install completion of commands and flags for bash, zsh or fish."
)


_ASCII = str.maketrans("–—−‐─│·…×→←“”‘’≥≤°", "-----|.~x><\"\"''><o")
"""ASCII replacements, of equal width, for characters that a terminal may not support."""


def _ascii_replacement(error: UnicodeError) -> tuple[str, int]:
    """The replacement of characters that a terminal can't encode."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    characters = error.object[error.start : error.end].translate(_ASCII)
    return "".join(character if character.isascii() else "?" for character in characters), error.end


RENAMED_FLAGS = {"--models": "--assets"}
"""Flags of earlier versions, refused with their new name."""


def _renamed(error: Exception, arguments: Sequence[str]) -> str:
    """The message about a flag that was renamed; empty where there is none."""
    used = [
        name for name in RENAMED_FLAGS if name in arguments or any(each.startswith(f"{name}=") for each in arguments)
    ]
    return f"{used[0]} is now {RENAMED_FLAGS[used[0]]}" if used and isinstance(error, UnknownOptionError) else ""


def _hint(error: TolmanError | CycloptsError) -> str:
    """Which help may say what to do: that of the command whose flags are wrong, else of all; none on servers."""
    if isinstance(error, ServerError):
        return ""
    chain = error.command_chain if isinstance(error, CycloptsError) else None
    return f" (see {' '.join(('tolman', *(chain or ())))} --help)"


def _replace_unencodable() -> None:
    codecs.register_error("tolman.ascii", _ascii_replacement)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="tolman.ascii")


OBJECTS_PER_COLLECTION = 50_000
"""New objects after which cycles are looked for; Python's 700 cost a sixth of the time of a short command, which mostly
imports.
"""


def main() -> None:
    """Run the command line; bad input ends with one line that says what to do, and exit code 2."""
    gc.set_threshold(OBJECTS_PER_COLLECTION, 20, 20)
    _replace_unencodable()
    try:
        app(exit_on_error=False, print_error=False)
    except (TolmanError, CycloptsError) as error:
        message = _renamed(error, sys.argv) or " ".join(str(error).split()) or type(error).__name__
        sys.stderr.write(f"tolman: {message}{_hint(error)}\n")
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    except OSError as error:  # a full disk, a folder that must not be written to
        place = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"tolman: {place}{error.strerror or error}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except RuntimeError as error:
        if interrupt_behind_error(error) is None:
            raise
        sys.exit(130)
