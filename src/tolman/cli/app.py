"""The command line: `tolman COMMAND --help` tells what each command takes. A command is imported when it is called."""

import codecs
import io
import sys

from cyclopts import App, CycloptsError

from tolman import __version__
from tolman.core.errors import ServerError, TolmanError, interrupt_behind_error

app = App(
    name="tolman",
    version=__version__,
    help="Measure spatial cognition: worlds from a seed, exact belief about them, and models that explore them.",
)
COMMANDS = {
    "eval": ("evaluate:eval_app", "Run a benchmark on a model; the same command again goes on where it stopped."),
    "doctor": ("doctor:doctor", "Find out what works with a model: text, pictures, reasoning, limits, price and rate."),
    "show": ("show:show", "Print the tables of an evaluation from its logs, or of probes."),
    "play": ("play:play", "Explore, map and answer as a person; leaves the same logs as a model."),
    "report": ("report:report", "Write a report that opens in a browser, from logs and probes."),
    "explore": ("explore:explore", "Let scripted explorers loose in scenes."),
    "replay": ("explore:replay", "Replay recorded episodes, and check them."),
    "scene": ("scenes:scene", "Show one scene: a map, a floor plan, or its JSON."),
    "ask": ("scenes:ask", "Print the questions of a scene."),
    "submit": ("leaderboard:submit", "Write an entry for a leaderboard, from logs."),
    "board": ("leaderboard:board", "Check the entries of a leaderboard, and rank them."),
    "render": ("render:render", "Render every view of scenes, with ids and depth."),
    "make": ("make:make_app", "Make a data set from seeds: rooms with panoramas and maps, or pictures under the sky."),
    "assets": ("assets:assets_app", "Fetch models of things, list them, and print their credits."),
    "probe": ("probe:probe_app", "Probe frozen vision encoders for relations between things."),
    "seal": ("scenes:seal", "Draw secret scenes, and print a commitment to publish."),
    "unseal": ("scenes:unseal", "Prove that scenes are the ones that were sealed."),
    "rescore": ("rescore:rescore", "Score the authors' released runs again."),
    "baselines": ("baselines:baselines", "Print what can be scored without knowledge, on every column."),
}
for number, (command, (place, summary)) in enumerate(COMMANDS.items()):
    app.command(f"tolman.cli.{place}", name=command, help=summary, sort_key=number)


_PLAIN = str.maketrans("–—−‐─│·…×→←“”‘’≥≤°", "-----|.~x><\"\"''><o")
"""Signs that a terminal may not have, each by one that it has, so that tables keep their columns."""


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """What is written for signs that a terminal can't show."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end].translate(_PLAIN)
    return "".join(sign if sign.isascii() else "?" for sign in signs), error.end


def _never_fail_to_print() -> None:
    codecs.register_error("tolman.plainly", _plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="tolman.plainly")


def main() -> None:
    """Run the command line; bad input ends with one line that says what to do, and exit code 2."""
    _never_fail_to_print()
    try:
        app(exit_on_error=False, print_error=False)
    except (TolmanError, CycloptsError) as error:
        message = " ".join(str(error).split()) or type(error).__name__
        hint = "" if isinstance(error, ServerError) else " (see tolman --help)"
        sys.stderr.write(f"tolman: {message}{hint}\n")
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
