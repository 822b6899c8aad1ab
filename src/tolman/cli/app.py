"""The command line: `tolman COMMAND --help` tells what each command takes. A command is imported when it is called."""

import sys

from cyclopts import App, CycloptsError

from tolman import __version__
from tolman.errors import TolmanError

app = App(
    name="tolman",
    version=__version__,
    help="Measure spatial cognition: worlds from a seed, exact belief about them, and models that explore them.",
)
app.command("tolman.cli.evaluate:evaluate", name="eval")
app.command("tolman.cli.show:show", name="show")
app.command("tolman.cli.explore:explore", name="explore")
app.command("tolman.cli.explore:replay", name="replay")
app.command("tolman.cli.scenes:scene", name="scene")
app.command("tolman.cli.scenes:ask", name="ask")
app.command("tolman.cli.rescore:rescore", name="rescore")


def main() -> None:
    """Run the command line; bad input ends with one line that says what to do, and exit code 2."""
    try:
        app(exit_on_error=False, print_error=False)
    except (TolmanError, CycloptsError) as error:
        message = " ".join(str(error).split()) or type(error).__name__
        sys.stderr.write(f"tolman: {message} (see tolman --help)\n")
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    except KeyboardInterrupt:
        sys.exit(130)
