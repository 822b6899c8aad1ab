"""What probes look at (figure 15 of the paper): maps over pictures that were painted when probing."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from tolman.benchmarks.sparrta.map_files import ProbeMap
from tolman.report.names import printable
from tolman.report.site import Gallery, Shot, Strip
from tolman.report.sparrta.probe_folders import Looked
from tolman.report.sparrta.words import HEAD_TITLES, VIEW_SHORT, place

_CAPTION = (
    "The warmer, the more a probe looks there; grey is no more than the average. Efficient is the mean of its four "
    "queries. Below, what it says: ✓ right, ✗ wrong, and how much of what it looks at lies on the source, the target "
    "and the human. Heads are those of the first seed, pictures those that most of them were tested on."
)
_FOLDER = "figures"


def copy_maps(looked: Sequence[Looked], out: Path) -> None:
    """Put the pictures beside the pages."""
    for number, one in enumerate(looked):
        for file in (one.picture.file, *(found.file for found in one.picture.maps)):
            shutil.copyfile(one.folder / file, out / _address(number, file))


def map_galleries(looked: Sequence[Looked]) -> list[Gallery]:
    """One gallery for each encoder, a strip for each picture; all but the first of each triple are folded away."""
    numbered = list(enumerate(looked))
    found: list[Gallery] = []
    for count, encoder in enumerate(dict.fromkeys(one.picture.encoder for one in looked)):
        mine = [(number, one) for number, one in numbered if one.picture.encoder == encoder]
        first = {one.picture.triple: number for number, one in reversed(mine)}.values()
        strips, more = (
            tuple(_strip(number, one) for number, one in mine if (number in first) == shown) for shown in (True, False)
        )
        title = f"What probes on {printable(encoder)} look at"
        found.append(Gallery(f"maps-{count}", title, _CAPTION, strips, more))
    return found


def _strip(number: int, one: Looked) -> Strip:
    picture = one.picture
    shots = (
        Shot(_address(number, picture.file), "the picture"),
        *(
            Shot(
                _address(number, found.file), f"{HEAD_TITLES[found.head]}, {VIEW_SHORT[found.viewpoint]}", _lines(found)
            )
            for found in picture.maps
        ),
    )
    return Strip(printable(f"{place(picture.triple)}, picture {picture.picture.removeprefix('img_')}"), shots)


def _lines(found: ProbeMap) -> tuple[str, ...]:
    says = f"says {found.says} ✓" if found.says == found.true else f"says {found.says} ✗, is {found.true}"
    on = ", ".join(f"{name} {100 * share:.0f} %" for name, share in found.on.items() if name != "background")
    return tuple(printable(line) for line in (says, on, "seen in training" if found.trained_on else "") if line)


def _address(number: int, file: str) -> str:
    return f"{_FOLDER}/map-{number}-{file}"
