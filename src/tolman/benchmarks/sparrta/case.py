"""One case of an evaluation (a picture with the positions of its objects on the ground and its questions) and its
record: the reply from each viewpoint, with tokens and price, from which all scores and tables are computed.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from tolman.benchmarks.sparrta.options import Options
from tolman.benchmarks.sparrta.sample import RELATIONS, Ground, Relation, Sample, Viewpoint
from tolman.core.errors import SceneFileError
from tolman.core.seeds import rng
from tolman.harness import records
from tolman.harness.records import CaseRecord, RecordFormat

LETTERS = "ABCD"
VIEWERS: dict[Viewpoint, str] = {"ego": "the camera", "allo": "the person"}
"""The observer of each viewpoint, in words."""


@dataclass(frozen=True)
class RelationQuestion:
    """One question with one correct answer."""

    viewpoint: Viewpoint
    answer: Relation
    options: tuple[Relation, ...]
    """All four in the order of their letters."""

    def __post_init__(self) -> None:
        if sorted(self.options) != sorted(RELATIONS):
            raise ValueError(f"a question has each of the four relations once, not {self.options!r}")

    @property
    def by_letter(self) -> dict[str, Relation]:
        return dict(zip(LETTERS, self.options, strict=True))

    def lettered(self, relation: Relation) -> str:
        """An option as it stands in the list, such as `B. left`."""
        return f"{LETTERS[self.options.index(relation)]}. {relation}"


def ask(sample: Sample, name: str, viewpoint: Viewpoint, ambiguity: float) -> RelationQuestion | None:
    """The question about a picture of this name; None where the relation is ambiguous.

    The order of options depends on the name and the viewpoint alone and is uniformly random, so that a constant letter
    stays at chance.
    """
    answer = sample.relation(viewpoint, ambiguity)
    if answer is None:
        return None
    order = rng(0, "sparrta", "options", name, viewpoint).permutation(len(RELATIONS))
    return RelationQuestion(viewpoint, answer, tuple(RELATIONS[int(place)] for place in order))


PLACES = ("camera", "source", "target", "human")


@dataclass(frozen=True)
class Case:
    """One picture, asked about from one viewpoint or from both."""

    id: str
    """Folder of the triple and number of the picture, such as `desert_2-17`."""
    environment: str
    triple: int
    source: str
    target: str
    picture: str
    """File of the picture."""
    places: Mapping[str, Ground]
    """Positions on the ground by `PLACES`: metres, x east and y north."""
    questions: tuple[RelationQuestion, ...]
    pointed: tuple[float, float] | None = None
    """Position of the source in the picture, as fractions of width and height; None if the prompt does not give it."""

    def __post_init__(self) -> None:
        if missing := [name for name in PLACES if name not in self.places]:
            raise ValueError(f"places lacks {', '.join(missing)}")

    @property
    def triple_name(self) -> str:
        return f"{self.environment} {self.triple}"


def seen_from_above(case: Case, margin: float, digits: int) -> dict[str, Ground]:
    """Positions by `PLACES` on a square plan on which the camera looks up at the source, in percent of its side from
    the left and from the top, rounded to so many digits; a margin is left free on each side.
    """
    camera, source = case.places["camera"], case.places["source"]
    turn = math.atan2(source[0] - camera[0], source[1] - camera[1])
    cos, sin = math.cos(turn), math.sin(turn)
    turned = {name: (x * cos - y * sin, x * sin + y * cos) for name, (x, y) in case.places.items()}
    xs, ys = zip(*turned.values(), strict=True)
    scale = (100 - 2 * margin) / (max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0)
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    return {
        name: (round(50 + scale * (x - middle[0]), digits), round(50 - scale * (y - middle[1]), digits))
        for name, (x, y) in turned.items()
    }


def case_to_dict(case: Case) -> dict[str, object]:
    """Plain values, ready for JSON."""
    return asdict(case)


def case_from_dict(values: Mapping[str, object]) -> Case:
    """The case that `case_to_dict` wrote; a `SceneFileError` says what is wrong with anything else."""
    try:
        case = _CASE.validate_python(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise SceneFileError(f"this is not a case of SpaRRTa: {place}: {first['msg']}") from None
    return replace(case, places={name: case.places[name] for name in PLACES})


_CASE = TypeAdapter(Case)


FORMAT: Literal["tolman.sparrta/1"] = "tolman.sparrta/1"


class Record(CaseRecord):
    """A model's replies about one picture. Calls are named after their viewpoints, `ego` and `allo`."""

    format: Literal["tolman.sparrta/1"] = FORMAT


LoggedCase = records.LoggedCase[Case, Options, Record]
RECORDS = RecordFormat(FORMAT, Record, Options, case_from_dict)
read_record = RECORDS.read
