"""How well pictures and words agree: what is listed and what shows, bearings and depths, over many scenes.

Run it from the root of a checkout, for it measures with what the tests use: `python -m benchmarks.agreement`.
"""

import argparse
from functools import cache
from statistics import median

import numpy as np
from tests.render.pinhole import bearing_of
from tests.render.posts import RADIUS, all_shown, post, with_posts
from tests.render.sights import ENOUGH, Seen, Sight, seen

from tolman.core.geometry import distance
from tolman.render.assets.choose import find_source
from tolman.render.renderer import Renderer
from tolman.world import Door, Scene, generate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=50)
    parser.add_argument("--assets", default="built-in", help="`built-in`, `pack`, or a folder")
    parser.add_argument("--no-posts", action="store_true", help="leave out the scenes with a post for every thing")
    options = parser.parse_args()
    scenes = [generate(seed) for seed in range(options.scenes)]
    model_of = cache(find_source(options.assets).asset)
    _tell([seen(scene, model_of) for scene in scenes])
    if not options.no_posts:
        _tell_posts(scenes)


def _tell(all_seen: list[Seen]) -> None:
    sights = [sight for one in all_seen for sight in one.sights]
    few = [sight for sight in sights if sight.pixels < ENOUGH]
    print(f"scenes {len(all_seen)}, views {sum(one.views for one in all_seen)}, listed {len(sights)}")
    print(f"fewer than {ENOUGH} pixels: {len(few)} ({len(few) / len(sights):.2%}), of them behind other things:")
    for number, one in enumerate(all_seen):
        for sight in one.sights:
            if sight.pixels < ENOUGH:
                print(f"  {'hidden' if sight.is_hidden else 'TOO SMALL'}: scene {number}, {sight}")
    partly = sum(sum(sight.hidden_by.values()) > 0.5 * sight.alone for sight in sights)
    print(f"more than half behind other things: {partly} ({partly / len(sights):.2%})")
    walled = [sight.walled / sight.alone for sight in sights if sight.is_walled]
    print(f"partly behind a wall or frame: {len(walled)}, at most {max(walled, default=0):.0%} of one")
    print(f"shows, but is not in the room: {sum(len(one.strangers) for one in all_seen)}")
    _tell_places([sight for sight in sights if sight.is_clear])
    _tell_feet(sights)


def _tell_places(clear: list[Sight]) -> None:
    off = [abs(sight.shown - sight.outlined) for sight in clear]
    print(f"bearing of {len(clear)} that nothing hides against a pin-hole camera's: at most {max(off):.3f} degrees")
    for what, is_door in (("things", False), ("doors", True)):
        for where, cut in (("whole in the picture", False), ("cut by its edge", True)):
            aside = [abs(s.shown - s.true) for s in clear if s.is_door == is_door and s.cut == cut]
            print(
                f"middle of pixels against middle of cell, {what} {where} ({len(aside)}): median {median(aside):.2f}, "
                f"95 % {np.percentile(aside, 95):.2f}, most {max(aside):.2f} degrees"
            )


def _tell_feet(sights: list[Sight]) -> None:
    feet = [sight.foot for sight in sights if sight.foot is not None]
    print(
        f"depth of lowest pixels against geometry ({len(feet)}): {max(abs(f.depth - f.expected) for f in feet):.6f} m"
    )
    print(f"outside of the footprint: at most {max(f.outside for f in feet):.6f} m")
    whole = [s.foot.height for s in sights if s.is_clear and not s.cut and s.foot is not None]
    print(
        f"height of lowest pixels, whole things ({len(whole)}): median {median(whole):.3f}, "
        f"95 % {np.percentile(whole, 95):.3f}, most {max(whole):.3f} m"
    )


def _tell_posts(scenes: list[Scene]) -> None:
    off: list[float] = []
    depth: list[float] = []
    for scene in scenes:
        for one in all_shown(Renderer(with_posts(scene), post, "draft")):
            if isinstance(one.item, Door):
                continue
            off.append(abs(bearing_of(one.columns) - one.bearing))
            apart = distance((one.item.cell[0] - one.pose.cell[0], one.item.cell[1] - one.pose.cell[1]))
            nearest = float(np.hypot(one.points[:, 0], one.points[:, 1]).min())
            depth.append(abs(nearest + RADIUS - apart))
    print(f"posts ({len(off)}): bearing at most {max(off):.2f} degrees off, depth at most {max(depth):.3f} m")


if __name__ == "__main__":
    main()
