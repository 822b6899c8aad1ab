"""The page that goes with a set: what is in it and how it is opened. Hosts of data sets read its first lines."""

from functools import partial

from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.wording import wording

CARD = "README.md"
_page = partial(wording, __package__ or "")


def set_card(scenes: int, options: OsrOptions) -> str:
    """The text of the page."""
    return (
        _page("set_card").fill(
            scenes=scenes,
            rules=options.rules,
            handedness=options.hand,
            grid=options.grid,
            each=options.each,
            width=options.width,
            height=options.width // 2,
            distractors=options.distractors,
        )
        + "\n"
    )
