"""One page for each scene of a model: the panorama, the map against the truth, and every question with its reply."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import scipy.optimize
from jinja2 import Template
from PIL import Image

from tolman.benchmarks.osr_bench.case import map_call, question_call
from tolman.benchmarks.osr_bench.maps.grid import GridCell, GridMap, StatedMap, read_map
from tolman.benchmarks.osr_bench.maps.scores import MATCH_DISTANCE, ROTATIONS, GridMapScore, scored_places
from tolman.benchmarks.osr_bench.pages.figures import ReportedModel, scene_files
from tolman.benchmarks.osr_bench.panoramas import PANORAMA, Pixels, read_panorama, rotated
from tolman.benchmarks.osr_bench.questions.question import Question, nearest_cell
from tolman.benchmarks.osr_bench.rules import STRICT
from tolman.benchmarks.osr_bench.runs import MAP_TITLES, Condition, FinishedScene, condition_name
from tolman.benchmarks.osr_bench.scores import ScoredAnswer, graded_replies
from tolman.core.errors import SceneFileError
from tolman.core.files import encoded, write_by_digest
from tolman.core.grouping import gathered
from tolman.core.parallel import Track, tracked_map
from tolman.core.rules import RULE_SETS
from tolman.harness.images import data_url, logged_pictures, thumbnail
from tolman.harness.logs import SampleAddress
from tolman.harness.records import Call
from tolman.report.replies import Shortener
from tolman.report.site.page import LeftOut, attempt, environment, write_note

MatchVerdict = Literal["found", "far", "extra", "invented"]
"""Within the match distance; farther away; more objects than the room has of the class; class not in the room."""
_assigned = cast("Any", scipy.optimize).linear_sum_assignment


@dataclass(frozen=True)
class MatchedObject:
    """One stated object, in the best rotation of the map."""

    name: str
    place: GridCell
    """May lie outside the grid."""
    verdict: MatchVerdict
    partner: int | None = None
    """Index of the matched true object in `objects_of`."""
    distance: float | None = None
    """Distance from it in cells."""


def objects_of(truth: GridMap) -> list[tuple[str, GridCell]]:
    """All objects of a room, class by class."""
    return [(name, place) for name, places in truth.instances.items() for place in places]


def match_objects(truth: GridMap, stated: StatedMap, quarters: int) -> list[MatchedObject]:
    """Match stated to true objects with the least total distance, the map rotated clockwise by quarter turns."""
    numbers = gathered((name, number) for number, (name, _) in enumerate(objects_of(truth)))
    found: list[MatchedObject] = []
    for name, places in stated.items():
        turned = [_rotated(place, quarters, truth.size - 1) for place in places]
        pairs = _pairs(truth.instances.get(name, []), turned)
        for i, place in enumerate(turned):
            if i in pairs:
                j, distance = pairs[i]
                verdict: MatchVerdict = "found" if distance <= MATCH_DISTANCE else "far"
                found.append(MatchedObject(name, place, verdict, numbers[name][j], distance))
            else:
                found.append(MatchedObject(name, place, "extra" if name in numbers else "invented"))
    return found


def _pairs(there: Sequence[GridCell], stated: Sequence[GridCell]) -> dict[int, tuple[int, float]]:
    """Index of the matched true object and its distance, by index of the stated object."""
    if not there or not stated:
        return {}
    costs = np.linalg.norm(np.array(stated, float)[:, None] - np.array(there, float)[None], axis=2)
    rows, columns = _assigned(costs)
    return {int(i): (int(j), float(costs[i, j])) for i, j in zip(rows, columns, strict=True)}


def _rotated(place: GridCell, quarters: int, last: int) -> GridCell:
    (a, b, c), (d, e, f) = ROTATIONS[quarters % 4]
    row, column = place
    return a * row + b * column + c * last, d * row + e * column + f * last


Plain = dict[str, object]
AskedScene = tuple[Condition, FinishedScene]
_NO_MAP = Call(name="", reply="")


def scene_data(conditions: Sequence[AskedScene]) -> Plain:
    """A scene in all conditions in which one model was asked about it."""
    truth = conditions[0][1].logged.case.truth
    shorten = Shortener(call for _, scene in conditions for call in scene.logged.record.calls)
    return {
        "size": truth.size,
        "truth": [{"name": name, "at": list(place)} for name, place in objects_of(truth)],
        "ways": [_condition(condition, scene, shorten) for condition, scene in conditions],
    }


def _condition(condition: Condition, scene: FinishedScene, shorten: Shortener) -> Plain:
    return {
        "name": condition_name(condition),
        "asked": condition.asked,
        "map": MAP_TITLES[condition.mode],
        "think": "think" if condition.think else "vanilla",
        "turns": [_turn(scene, place, shorten) for place in range(len(scene.logged.options.turns))],
    }


def _turn(scene: FinishedScene, place: int, shorten: Shortener) -> Plain:
    scores = [scene.scores[rules][place] for rules in RULE_SETS]
    turn, record = scores[0].turn, scene.logged.record
    judged = {each.name: each.score for each in record.judged}
    replies = {call.name: call for call in record.calls}
    graded = graded_replies(scene.logged, [scores[0]])
    reasons = {reply.call: reply.reason.sentence for reply in graded if reply.reason is not None}
    asked = [
        (question_call(turn, answers[0].question), answers)
        for answers in zip(*(each.answers for each in scores), strict=True)
    ]
    return {
        "turn": turn,
        "map": _map(scene, turn, [each.map for each in scores], shorten, reasons.get(map_call(turn), "")),
        "answers": [
            {
                **_answer(scene.logged.case.truth, answers),
                "reply": shorten(replies.get(call)),
                "judged": judged.get(call),
                "why": reasons.get(call, ""),
            }
            for call, answers in asked
        ],
    }


def _map(
    scene: FinishedScene, turn: int, scores: Sequence[GridMapScore | None], shorten: Shortener, why: str
) -> Plain | None:
    """The stated map, laid over the truth as the strict rules read it; None where none was asked for."""
    strict, published = scores
    if strict is None or published is None:
        return None
    logged = scene.logged
    reply = next((call for call in logged.record.calls if call.name == map_call(turn)), _NO_MAP)
    stated = read_map(reply.reply, STRICT, logged.case.truth.size) if strict.read else None
    used = {} if stated is None else scored_places(logged.case.truth, stated, STRICT)
    return {
        "read": strict.read,
        "why": why,
        "quarters": strict.quarters,
        "f1": [strict.f1, published.f1],
        "precision": [strict.precision, published.precision],
        "recall": [strict.recall, published.recall],
        "distance": [strict.distance, published.distance],
        "mirrored": strict.mirrored_f1,
        "stated": [_matched_object(each) for each in match_objects(logged.case.truth, used, strict.quarters)],
        "reply": shorten(reply),
    }


def _matched_object(each: MatchedObject) -> Plain:
    distance = None if each.distance is None else round(each.distance, 3)
    return {
        "name": each.name,
        "at": list(each.place),
        "verdict": each.verdict,
        "partner": each.partner,
        "distance": distance,
    }


def _answer(truth: GridMap, answers: Sequence[ScoredAnswer]) -> Plain:
    question = answers[0].question
    return {
        "number": question.turn,
        "kind": question.kind,
        "text": question.text,
        "names": list(question.names),
        "answer": question.answer,
        "cells": _cells(truth, question),
        "said": [answer.said for answer in answers],
        "score": [answer.score for answer in answers],
    }


def _cells(truth: GridMap, question: Question) -> list[list[int] | None]:
    """Cells of a question on the map: the positioning object, then the closest object of each other class."""
    places = truth.places.get(question.names[0], [])
    if question.kind == "counting" or len(places) != 1:
        return []
    origin = places[0]
    others = [list(nearest_cell(truth, origin, name)) if name in truth.places else None for name in question.names[1:]]
    return [list(origin), *others]


FOLDER = "panoramas"
WIDEST, _VIEW, _QUALITY = 1024, 384, 85
SentView = tuple[int, str, bytes]
"""Camera rotation in degrees, name of the view, and content of the picture file."""


def picture_script(addresses: Sequence[SampleAddress], folder: Path) -> str | None:
    """Write the pictures of a scene as a script, as pages opened from disk may not load pictures; returns its name.

    Takes the first log with a panorama, else the first with perspective views; None if there is none.
    """
    views: list[tuple[str, str]] = []
    for address in addresses:
        sent = list(_sent(address))
        for turn, view, data in sent:
            if view == PANORAMA and (pixels := _panorama(data)) is not None:
                return _saved({"panorama": _url(_sized(rotated(pixels, -turn)))}, folder)
        views = views or [(view, url) for turn, view, data in sent if turn == sent[0][0] and (url := _view(data))]
    return _saved({"views": views}, folder) if views else None


def _sent(address: SampleAddress) -> Iterator[SentView]:
    """All pictures that were sent; none if the log is missing or damaged. Malformed entries are skipped."""
    for entry, data in logged_pictures(address):
        if isinstance(turn := entry.get("turn"), int):
            yield turn, str(entry.get("view"))[:20], data


def _panorama(data: bytes) -> Pixels | None:
    try:
        return read_panorama(data, PANORAMA)
    except SceneFileError:
        return None


def _sized(pixels: Pixels) -> Image.Image:
    """Resized to a power of two, as WebGL needs for repeating textures."""
    width = min(WIDEST, 2 ** round(math.log2(max(2, pixels.shape[1]))))
    return Image.fromarray(pixels).resize((width, width // 2), Image.Resampling.LANCZOS)


def _view(data: bytes) -> str | None:
    small = thumbnail(data, _VIEW)
    return None if small is None else _url(small)


def _url(picture: Image.Image) -> str:
    return data_url(encoded(picture, "JPEG", quality=_QUALITY), "jpeg")


def _saved(seen: Mapping[str, object], folder: Path) -> str:
    return write_by_digest(folder, f"window.SEEN = {json.dumps(seen)};\n".encode(), ".js")


_PAGE = Path(__file__).parent / "scene"
_SCRIPTS = (
    *("dom", "look", "sphere", "strip", "seen", "grid"),
    *("labels", "map", "classes", "questions", "choice", "begin"),
)
_STYLES = ("page", "seen", "map", "questions", "print")
"""Scripts and styles, in order of dependence."""
Files = Mapping[str, Mapping[str, str]]
"""Names of pages, by folder and scene."""
_UP = "../.."
"""Path from a scene page to the top of the report."""


@dataclass(frozen=True)
class Job:
    """One page to write."""

    folder: Path
    file: str
    scene: str
    model: str
    conditions: tuple[AskedScene, ...]
    home: str
    previous: str | None
    following: str | None
    others: tuple[tuple[str, str], ...]
    """Names and addresses of the pages of other models on the same scene."""


def write_scenes(reported: Sequence[ReportedModel], out: Path, home: str, track: Track, jobs: int) -> None:
    """Write a page for each scene of each model. `home` is the path of the scene list from the top of the report."""
    _write_assets(out / "assets")
    files = {one.folder: scene_files(one) for one in reported}
    work = [job for one in reported for job in _jobs(one, reported, files, out / "episodes", home)]
    tracked_map(_write, work, track, "scenes", jobs)


def _write_assets(assets: Path) -> None:
    for names, ending in ((_SCRIPTS, "js"), (_STYLES, "css")):
        parts = [(_PAGE / f"{name}.{ending}").read_text(encoding="utf-8") for name in names]
        (assets / f"osr-scene.{ending}").write_text("\n".join(parts), encoding="utf-8")


def _jobs(
    one: ReportedModel, reported: Sequence[ReportedModel], files: Files, episodes: Path, home: str
) -> Iterator[Job]:
    folder, conditions = episodes / one.folder, _conditions(one)
    folder.mkdir(parents=True, exist_ok=True)
    pages, names = list(files[one.folder].values()), list(files[one.folder])
    for place, scene in enumerate(names):
        others = [(o.name, f"../{o.folder}/{file}") for o in reported if (file := files[o.folder].get(scene))]
        yield Job(
            folder=folder,
            file=pages[place],
            scene=scene,
            model=one.name,
            conditions=tuple(conditions[scene]),
            home=home,
            previous=pages[place - 1] if place else None,
            following=pages[place + 1] if place + 1 < len(pages) else None,
            others=tuple(others) if len(others) > 1 else (),
        )


def _conditions(one: ReportedModel) -> dict[str, list[AskedScene]]:
    """By scene, the conditions in which it was finished; of repeated ones the first."""
    found: dict[str, dict[Condition, FinishedScene]] = {}
    for condition, scored in one.model.conditions.items():
        for case in scored.run.cases:
            found.setdefault(case.id, {}).setdefault(condition, case)
    return {scene: list(conditions.items()) for scene, conditions in found.items()}


def _write(job: Job) -> None:
    written = attempt(job.scene, lambda: _write_scene(job))
    if isinstance(written, LeftOut):
        back, assets = f"{_UP}/{job.home}", f"{_UP}/assets"
        write_note(job.folder / job.file, f"Scene {job.scene}", written.reason, back, assets)


def _write_scene(job: Job) -> None:
    addresses = [scene.address for _, scene in job.conditions if scene.address is not None]
    script = picture_script(addresses, job.folder.parent / FOLDER)
    page = _template().render(
        job=job,
        data=scene_data(job.conditions),
        seen=f"../{FOLDER}/{script}" if script else "",
        back=f"{_UP}/{job.home}",
        assets=f"{_UP}/assets",
    )
    (job.folder / job.file).write_bytes(page.encode("utf-8", "replace"))


@cache
def _template() -> Template:
    return environment(_PAGE).get_template("scene.html")
