"""A blind trial of the vision world: what can be read from its pictures alone.

    python -m benchmarks.vision_trial make FOLDER --seed 500     # 20 views, candidates, the truth sealed
    python -m benchmarks.vision_trial check FOLDER               # after FOLDER/answers.json was written

`make` writes views of 20 scenes that nobody has seen, and what a model is shown beside them: the calibration picture of
distances, and for each scene the sheet of its things with their names. The observer writes, for each view, every thing
seen: name, direction, distance, facing (null without a front). With `--no-sheets` there are ten names for each view
instead, some of them of what it shows. The truth is compressed, so that it is not read by accident, and holds things
with at least 150 pixels. `check` wants answers to every view and compares.
"""

import argparse
import base64
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tolman.core.geometry import Heading
from tolman.core.seeds import rng
from tolman.render.assets.choose import find_source, surface_pack
from tolman.render.instruction_pictures import calibration_picture, object_legend_picture
from tolman.render.renderer import Renderer
from tolman.sense.observation import look
from tolman.world import START, generate
from tolman.world.vocabulary import KIND_BY_NAME

VIEWS, NAMES, LEAST_PIXELS, SIZE = 20, 10, 150, 384


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["make", "check"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=500, help="of the first scene")
    parser.add_argument("--assets", default="built-in")
    parser.add_argument("--no-sheets", action="store_true", help="candidate names instead of name sheets")
    options = parser.parse_args()
    if options.step == "make":
        make(options.folder, options.seed, options.assets, sheets=not options.no_sheets)
    else:
        check(options.folder)


def make(folder: Path, first: int, assets: str, *, sheets: bool) -> None:
    """Write pictures, name sheets or candidates, and the sealed truth."""
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(calibration_picture(field=90.0, size=SIZE)).save(folder / "calibration.png")
    source, truth, candidates = find_source(assets), {}, {}
    for number in range(VIEWS):
        stream = rng(first + number, "vision trial")
        renderer = Renderer(generate(first + number), source.asset, "standard", None, surface_pack(source))
        view, found = _one_view(renderer, stream)
        Image.fromarray(view).save(folder / f"view-{number + 1:02}.png")
        key = f"{number + 1:02}"
        truth[key] = found
        if sheets:
            names = object_legend_picture(renderer.scene, source.asset, size=SIZE)
            Image.fromarray(names).save(folder / f"names-{key}.png")
        else:
            others = [name for name in KIND_BY_NAME if name not in {name for name, *_ in found}]
            drawn: list[str] = stream.choice(others, NAMES - len(found), replace=False).tolist()
            candidates[key] = sorted([*drawn, *(str(name) for name, *_ in found)])
        print(f"view {key}", flush=True)
    sealed = base64.b64encode(zlib.compress(json.dumps(truth).encode()))
    (folder / "truth.sealed").write_bytes(sealed)
    if candidates:
        (folder / "candidates.json").write_text(json.dumps(candidates, indent=1))


def _one_view(renderer: Renderer, stream: np.random.Generator) -> tuple[Any, list[list[str | None]]]:
    """A view of at least two things, and what it shows: name, direction, distance and facing."""
    scene = renderer.scene
    while True:
        name = str(stream.choice([START, *scene.names]))
        pose = scene.pose_at(name, Heading(int(stream.integers(4))))
        ids = renderer.hits(pose, size=SIZE).ids
        pixels = {item.name: int((ids == number).sum()) for number, item in enumerate(scene.items, start=1)}
        things = {thing.name for thing in scene.things if pixels[thing.name] >= LEAST_PIXELS}
        sightings = [sighting for sighting in look(scene, pose)[0] if sighting.name in things]
        if len(sightings) >= 2:
            break
    found = [
        [sighting.name, str(sighting.direction), str(sighting.distance), _word(sighting.detail)]
        for sighting in sightings
    ]
    return renderer.ego(pose, size=SIZE).rgb, found


def _word(detail: object) -> str | None:
    return None if detail is None else str(detail)


def check(folder: Path) -> None:
    """Compare answers with the truth, and print both where they differ."""
    truth = json.loads(zlib.decompress(base64.b64decode((folder / "truth.sealed").read_bytes())))
    answers = json.loads((folder / "answers.json").read_text())
    if missing := sorted(set(truth) - set(answers)):
        raise SystemExit(f"answers are missing for views {', '.join(missing)}: write all of them first")
    right = dict.fromkeys(("name", "direction", "distance", "facing"), 0)
    asked, invented = dict.fromkeys(right, 0), 0
    for key, things in truth.items():
        said = {name: rest for name, *rest in answers[key]}
        invented += len(set(said) - {name for name, *_ in things})
        for name, *rest in things:
            asked["name"] += 1
            right["name"] += name in said
            if name not in said:
                print(f"view {key}: {name} was not named; said {sorted(said)}")
                continue
            for score, true, given in zip(("direction", "distance", "facing"), rest, said[name], strict=True):
                if true is not None:
                    asked[score] += 1
                    right[score] += true == given
                    if true != given:
                        print(f"view {key}: {name}: {score} is {true}, not {given}")
    for score, count in right.items():
        print(f"{score:10} {count} of {asked[score]} right")
    print(f"named, but not in the view: {invented}")


if __name__ == "__main__":
    main()
