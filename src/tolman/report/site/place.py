"""Where in a report the pages of one benchmark stand: alone at its front, or beside others behind a cover."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """Names of files at the top of a report's folder."""

    page: str = "index.html"
    numbers: str = "numbers.json"
    cover: str = ""
    """The page that leads to this one and to others, if there is one."""


FRONT = Place()


def beside(name: str) -> Place:
    """A place among several."""
    return Place(f"{name}.html", f"{name}.json", FRONT.page)
