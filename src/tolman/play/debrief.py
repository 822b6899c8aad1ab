"""What a person sees when all is over: where they put things last, over the world as it was."""

from tolman.benchmarks.theory_of_space.calls import probe_call
from tolman.benchmarks.theory_of_space.stated_maps import plain_map, views_of
from tolman.play.sitting import Sitting
from tolman.rules import STRICT


def last_map(sitting: Sitting) -> str | None:
    """The reply in which a person drew their last map of the exploration."""
    turns = range(len(sitting.explored.turns), 0, -1)
    replies = (sitting.replies.get(probe_call("explore", number, "global")) for number in turns)
    return next((reply for reply in replies if reply is not None), None)


def map_against_truth(sitting: Sitting) -> bytes | None:
    """The last map over the truth as a PNG; None where no map was asked for."""
    from tolman.render import map_picture  # noqa: PLC0415 - drawing takes a second to load

    reply = last_map(sitting)
    if reply is None:
        return None
    scene, last = sitting.case.scene, sitting.explored.turns[-1]
    seen = {name for names in views_of(sitting.explored.turns) for name in names}
    pose = scene.pose_at(last.standing_on, last.heading)
    return map_picture(scene, pose, plain_map(reply, scene, STRICT) or {}, seen=seen)
