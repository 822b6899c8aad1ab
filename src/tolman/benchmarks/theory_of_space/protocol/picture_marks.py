"""Marks: lines that stand for pictures in a message until it is sent; and text captions of the pictures.

Only marks in user messages become pictures; a mark in a reply of a model has no effect.
"""

import re
from dataclasses import dataclass

from tolman.belief.unexplored import CandidatePoints, point_map
from tolman.benchmarks.theory_of_space.case import Case
from tolman.core.geometry import Cell, Heading
from tolman.explore.actions import Phase
from tolman.sense import Observation, describe_observation, look
from tolman.world import START, Pose, Scene


@dataclass(frozen=True, slots=True)
class ViewPicture:
    """The first-person view from a cell, of the scene as it is in a phase."""

    phase: Phase
    cell: Cell
    heading: Heading


@dataclass(frozen=True, slots=True)
class PointPlan:
    """The floor plan with the agent and the marked points, in the order of their letters."""

    cell: Cell
    heading: Heading
    points: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class DistanceCalibration:
    """The calibration picture that shows distances and angles."""


@dataclass(frozen=True, slots=True)
class NameCalibration:
    """The calibration picture that shows all things with their names."""


PictureKey = ViewPicture | PointPlan | DistanceCalibration | NameCalibration
"""What a picture shows; together with case and options it determines the picture. Cells are in the world frame."""

_MARK = re.compile(r"^⟦picture ([^⟦⟧\n]{1,4000})⟧$", re.MULTILINE)
_CELL = r"(-?[0-9]{1,6}),(-?[0-9]{1,6})"
_HEADINGS = "|".join(heading.word for heading in Heading)
_VIEW = re.compile(rf"(explore|revise) {_CELL} ({_HEADINGS})")
_POINTS = re.compile(rf"points {_CELL} ({_HEADINGS})((?: {_CELL})*)")
_CALIBRATIONS: dict[str, PictureKey] = {"distances": DistanceCalibration(), "names": NameCalibration()}


def picture_mark(key: PictureKey) -> str:
    """The line that stands for a picture."""
    match key:
        case ViewPicture():
            return f"⟦picture {key.phase} {_cell_words(key.cell)} {key.heading.word}⟧"
        case PointPlan():
            here = f"{_cell_words(key.cell)} {key.heading.word}"
            return f"⟦picture {' '.join(['points', here, *map(_cell_words, key.points)])}⟧"
        case DistanceCalibration():
            return "⟦picture distances⟧"
        case NameCalibration():
            return "⟦picture names⟧"


def split_at_marks(text: str) -> list[str | PictureKey]:
    """A text split at its marks; invalid marks stay text, and pieces of white space are dropped."""
    pieces: list[str | PictureKey] = []
    begin = 0
    for found in _MARK.finditer(text):
        key = _read_mark(found.group(1))
        if key is not None:
            pieces += [text[begin : found.start()].strip("\n"), key]
            begin = found.end()
    pieces.append(text[begin:].strip("\n"))
    return [piece for piece in pieces if not isinstance(piece, str) or piece.strip()]


def _cell_words(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _read_mark(words: str) -> PictureKey | None:
    if words in _CALIBRATIONS:
        return _CALIBRATIONS[words]
    view = _VIEW.fullmatch(words)
    if view:
        return ViewPicture(
            "revise" if view[1] == "revise" else "explore", (int(view[2]), int(view[3])), _heading(view[4])
        )
    points = _POINTS.fullmatch(words)
    if points is None:
        return None
    cells = tuple((int(x), int(y)) for x, y in re.findall(_CELL, points[4]))
    return PointPlan((int(points[1]), int(points[2])), _heading(points[3]), cells)


def _heading(word: str) -> Heading:
    return Heading[word.upper()]


def caption(case: Case, key: PictureKey) -> str:
    """A text description of a picture, as in the text world; empty for calibration pictures."""
    match key:
        case ViewPicture():
            scene = scene_of_view(case, key)
            return describe_observation(
                Observation(START, key.heading, *look(scene, _pose_on(scene, key.cell, key.heading)))
            )
        case PointPlan():
            pose = _pose_on(case.scene, key.cell, key.heading)
            return point_map(case.scene, pose, CandidatePoints(key.points, frozenset()))
        case _:
            return ""


def scene_of_view(case: Case, view: ViewPicture) -> Scene:
    """The scene that a view shows."""
    return case.changed if view.phase == "revise" and case.changed else case.scene


def _pose_on(scene: Scene, cell: Cell, heading: Heading) -> Pose:
    """The pose on a cell; a cell with a door belongs to both of its rooms."""
    door = next((door for door in scene.doors if door.cell == cell), None)
    rooms = door.rooms if door else tuple(room.id for room in scene.rooms if room.holds(cell))
    return Pose(cell, heading, rooms)
