"""One scene as plain values: everything that its page shows."""

from tolman.benchmarks.theory_of_space.graded_replies import graded_replies
from tolman.benchmarks.theory_of_space.insight import SceneInsight
from tolman.benchmarks.theory_of_space.rebuild import rebuild
from tolman.report.long_replies import Shortener
from tolman.report.theory_of_space.logs import FinishedScene
from tolman.report.theory_of_space.plain import Plain
from tolman.report.theory_of_space.replay.album import NO_PICTURES, Album
from tolman.report.theory_of_space.replay.asked import asked
from tolman.report.theory_of_space.replay.floor import floor
from tolman.report.theory_of_space.replay.frames import Reel, frames
from tolman.report.theory_of_space.replay.revision import revision

FORMAT = "tolman.theory_of_space.episode/1"


def episode_data(scene: FinishedScene, insight: SceneInsight, album: Album = NO_PICTURES) -> Plain:
    """A scene, ready for JSON. Positions are cells east and north of the start, facings count from north clockwise.

    Pictures that it needs are put into the album.
    """
    logged, replies = scene.logged, scene.logged.record.replies
    episode = rebuild(logged.case, logged.options, replies, logged.record.log)
    graded = graded_replies(logged, scene.scores["strict"])
    reasons = {reply.call: reply.reason.sentence for reply in graded if reply.reason is not None}
    reel = Reel(logged, episode, insight, Shortener(logged.record.calls), album, reasons)
    return {
        "format": FORMAT,
        "scene": logged.case.id,
        "mode": logged.options.mode,
        "world": logged.options.world,
        "exact": insight.exact,
        **floor(logged.case),
        "frames": frames(reel),
        "questions": list(asked(reel, scene.scores)),
        "revision": revision(reel),
    }
