"""The last tab: how the numbers are made, how every run was set up, and how to make this report again."""

from collections.abc import Sequence

from tolman import __version__
from tolman.report.site import Code, Tab, Terms
from tolman.report.site.settings_tables import SetUp, settings_tables
from tolman.report.theory_of_space.site.listed import Listed

_TERMS = (
    ("strict", "Corrected scoring, without the defects of the authors' released code; one named switch for each."),
    ("published", "The same replies, scored as the authors' released code does, to the digit."),
    (
        "interval",
        "95 %, from a bootstrap over scenes, bias-corrected and accelerated (BCa): whole scenes are drawn again, since "
        "questions about one scene rise and fall together. Left out where all scenes agree or there are fewer than "
        "three.",
    ),
    (
        "better, tie",
        "Runs are compared scene by scene on the scenes they share, by a permutation test of signs, corrected for all "
        "pairs (Holm). A tie says that these scenes do not tell the two apart, not that they are equal.",
    ),
    (
        "information gain",
        "What all evidence so far allows to know about all positions: 0 when nothing, 100 when every one is certain.",
    ),
    (
        "ceiling",
        "The score that the best possible reply would be expected to get from someone who was told just as much: an "
        "ideal observer with the exact probabilities of all positions. What lies above was never observed.",
    ),
    (
        "lost to exploration, reasoning, form",
        "One less the ceiling; the ceiling less the score; and the ceiling of replies in which no "
        "answer was found. Together with the score they make 100. A lucky guess counts against reasoning.",
    ),
    (
        "right, unlucky, impossible",
        "A stated position is in the right cell; wrong, but nothing that had been told rules it out; or contradicts "
        "what had been told.",
    ),
)


def about_tab(runs: Sequence[Listed], command: str, numbers: str) -> Tab:
    """What a careful reader asks for; `numbers` is the file that holds every number."""
    tables = settings_tables([SetUp(one.name, one.where, one.run.settings) for one in runs])
    again = f"pip install tolman=={__version__}\n{command}"
    files = ((numbers, "every number of this report, by scene. Each figure has a link that saves it as SVG."),)
    return Tab("about", "About", (Terms("How numbers are made", _TERMS), *tables, Code("Reproduce", again, files)))
