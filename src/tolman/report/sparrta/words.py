"""What things are called in tables and figures."""

from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.probing.head_names import HeadName

HEAD_TITLES: dict[HeadName, str] = {
    "linear": "Linear",
    "abmilp": "AbMILP",
    "efficient": "Efficient",
    "cls": "[CLS]",
}
VIEW_TITLES: dict[Viewpoint, str] = {"ego": "Ego, as the camera sees it", "allo": "Allo, as the person sees it"}
VIEW_SHORT: dict[Viewpoint, str] = {"ego": "ego", "allo": "allo"}
OTHER_PICTURES = "paper, other pictures"


def place(environment: str) -> str:
    """An environment's name in words."""
    return environment.replace("_", " ")


def counted(number: int, one: str, many: str = "") -> str:
    """So many of something."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(words: list[str]) -> str:
    """Some words as a sentence lists them."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
