"""A question about a picture: where is the target to the source, from the camera or from the person?"""

from dataclasses import dataclass

from tolman.benchmarks.sparrta.relations import RELATIONS, Relation, Viewpoint
from tolman.benchmarks.sparrta.sample import Sample
from tolman.seeds import rng

LETTERS = "ABCD"
VIEWERS: dict[Viewpoint, str] = {"ego": "the camera", "allo": "the person"}
"""From where one looks, in words."""


@dataclass(frozen=True)
class RelationQuestion:
    """One question with one right answer."""

    viewpoint: Viewpoint
    answer: Relation
    options: tuple[Relation, ...]
    """All four in the order of their letters."""

    @property
    def by_letter(self) -> dict[str, Relation]:
        return dict(zip(LETTERS, self.options, strict=True))

    def lettered(self, relation: Relation) -> str:
        """An option as it stands in the list, such as `B. left`."""
        return f"{LETTERS[self.options.index(relation)]}. {relation}"


def ask(sample: Sample, name: str, viewpoint: Viewpoint, ambiguity: float) -> RelationQuestion | None:
    """The question about a picture of this name; None where the relation is ambiguous.

    The order of options depends on the name and the viewpoint alone, and each is equally likely: who always gives the
    same letter stays at chance.
    """
    answer = sample.relation(viewpoint, ambiguity)
    if answer is None:
        return None
    order = rng(0, "sparrta", "options", name, viewpoint).permutation(len(RELATIONS))
    return RelationQuestion(viewpoint, answer, tuple(RELATIONS[int(place)] for place in order))
