"""What pages of scenes show beside the conversation: the true floor plan and a stated map as JSON-compatible values,
in cells east and north of the start; and pictures that a model was sent, as small files shared by all pages of a
report.
"""

import math
from collections.abc import Mapping
from pathlib import Path

from tolman.belief.revision import MappedPose, PoseMap
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.ideal_observer import OverwrittenBelief, StatedMap, StatedPosition
from tolman.benchmarks.theory_of_space.protocol.picture_marks import (
    DistanceCalibration,
    NameCalibration,
    PictureKey,
    ViewPicture,
    picture_mark,
    split_at_marks,
)
from tolman.benchmarks.theory_of_space.protocol.pictures import read_pictures
from tolman.benchmarks.theory_of_space.protocol.prompts import in_pictures
from tolman.benchmarks.theory_of_space.runs import ScoredScene
from tolman.benchmarks.theory_of_space.scores import plain_map
from tolman.benchmarks.theory_of_space.tables.export import JsonObject
from tolman.core.files import encoded, write_by_digest
from tolman.core.geometry import Cell
from tolman.core.rules import STRICT
from tolman.harness.images import thumbnail
from tolman.world import AGENT, Item, Scene, Thing


def floor_data(case: Case) -> JsonObject:
    """The data that is the same in all turns. Other data refers to things and doors by their index in `items`."""
    scene = case.scene
    return {
        "extent": scene.extent,
        "rooms": [[*_from_start(scene, room.low), *_from_start(scene, room.high)] for room in scene.rooms],
        "items": [_item(scene, item) for item in scene.items],
        "changed": _changed(case),
    }


def _item(scene: Scene, item: Item) -> JsonObject:
    values: JsonObject = {"name": item.name, "at": _from_start(scene, item.cell), "rooms": list(item.rooms)}
    if isinstance(item, Thing):
        return {**values, "front": None if item.front is None else int(item.front)}
    return {**values, "axis": item.axis}


def _changed(case: Case) -> JsonObject:
    """Moved and turned things after the change, by their index in `items`."""
    if case.changed is None:
        return {}
    names = case.scene.names
    return {
        str(names.index(change.name)): {**_item(case.changed, case.changed.item(change.name)), "how": change.kind}
        for change in case.changes
    }


def _from_start(scene: Scene, cell: Cell) -> list[int]:
    return [cell[0] - scene.start[0], cell[1] - scene.start[1]]


def strict_map(reply: str, scene: Scene) -> PoseMap | None:
    """The map in a reply as the strict rules read it; None for no map."""
    return plain_map(reply, scene, STRICT)


def stated_map_data(stated: PoseMap | None, truth: Scene, insight: StatedMap | None) -> JsonObject:
    """One map in cells east and north of the start, compared with the scene. `stated` is None for no map."""
    if stated is None:
        return {"said": None}
    judged = {} if insight is None else {position.name: position for position in insight.positions}
    values: JsonObject = {"said": position_rows(stated, truth, judged), "agent": _agent(stated)}
    if insight is not None:
        values["score"], values["ceiling"] = _rounded(insight.score), _rounded(insight.ceiling)
        values["over"] = [_overwritten(lost, truth) for lost in insight.overwritten]
    return values


def position_rows(stated: PoseMap, truth: Scene, judged: Mapping[str, StatedPosition]) -> list[list[object]]:
    """For each name: its index in the scene, x, y, facing, verdict and probability.

    Without an insight, a position that is not right is `wrong` and has no probability.
    """
    rows: list[list[object]] = []
    for i, name in enumerate(truth.names):
        if name in stated:
            verdict, chance = _verdict(name, stated[name], truth, judged.get(name))
            rows.append([i, *_place(stated[name]), verdict, chance])
    return rows


def is_at(place: MappedPose, cell: Cell) -> bool:
    """Whether a stated position lies in a cell."""
    return cell_of(place) == cell


def cell_of(place: MappedPose) -> Cell:
    """The cell that holds a stated position."""
    (x, y), _ = place
    return math.floor(x + 0.5), math.floor(y + 0.5)


def _verdict(name: str, place: MappedPose, truth: Scene, judged: StatedPosition | None) -> tuple[str, float | None]:
    if judged is not None:
        return judged.verdict, _rounded(judged.chance)
    return ("right" if is_at(place, truth.from_start(name)) else "wrong"), None


def _agent(stated: PoseMap) -> list[object] | None:
    return list(_place(stated[AGENT])) if AGENT in stated else None


def _place(place: MappedPose) -> tuple[float, float, int | None]:
    (x, y), facing = place
    return round(x, 2), round(y, 2), None if facing is None else int(facing)


def _overwritten(lost: OverwrittenBelief, truth: Scene) -> JsonObject:
    return {
        "item": truth.names.index(lost.name),
        "before": [round(at, 2) for at in lost.before],
        "after": None if lost.after is None else [round(at, 2) for at in lost.after],
        "verdict": lost.verdict,
        "inView": lost.in_view,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


PICTURES_FOLDER = "pictures"
CALIBRATION_MARKS = f"{picture_mark(DistanceCalibration())}\n{picture_mark(NameCalibration())}"
_QUALITY = 88


class PictureFolder:
    """Writes the pictures that pages show into one folder, each picture once."""

    def __init__(self, files: Mapping[PictureKey, bytes], folder: Path) -> None:
        self._files, self._folder = files, folder
        self._written: dict[PictureKey, JsonObject | None] = {}

    def marked_in(self, text: str) -> list[JsonObject]:
        """The pictures marked in a text that the log holds: address relative to the page, and size in pixels."""
        keys = [piece for piece in split_at_marks(text) if not isinstance(piece, str)] if self._files else []
        return [picture for key in keys if (picture := self._picture(key)) is not None]

    def _picture(self, key: PictureKey) -> JsonObject | None:
        if key not in self._written:
            self._written[key] = self._write(key) if key in self._files else None
        return self._written[key]

    def _write(self, key: PictureKey) -> JsonObject | None:
        small = shrink_picture(self._files[key], 384 if isinstance(key, ViewPicture | DistanceCalibration) else 768)
        if small is None:
            return None
        data, (width, height) = small
        name = write_by_digest(self._folder, data, ".webp")
        return {"file": f"../{self._folder.name}/{name}", "width": width, "height": height}


NO_PICTURES = PictureFolder({}, Path())


def picture_folder(scene: ScoredScene, page_folder: Path) -> PictureFolder:
    """The picture folder of a scene, beside the folder of its page; without pictures if its log has none."""
    logged = scene.logged
    wanted = scene.address is not None and in_pictures(logged.case, logged.options)
    files = read_pictures(scene.address) if wanted and scene.address else {}
    return PictureFolder(files, page_folder.parent / PICTURES_FOLDER)


def shrink_picture(data: bytes, side: int) -> tuple[bytes, tuple[int, int]] | None:
    """A picture as WebP without metadata, scaled so that no side is longer than `side` pixels; None if invalid."""
    plain = thumbnail(data, side)
    return None if plain is None else (encoded(plain, "WEBP", quality=_QUALITY), plain.size)
