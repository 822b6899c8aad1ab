"""What an agent's words are worth, by the graders that judge a model's."""

from tests.models.scripted.conversations import Talk
from tolman.belief.cognitive_map import (
    CognitiveMap,
    global_map_prompt,
    local_map_prompt,
    revision_map_prompt,
    true_global_map,
    true_local_map,
    unexplored_prompt,
)
from tolman.belief.map_parsing import read_global_map, read_local_map
from tolman.belief.map_scores import MapScale, score_map
from tolman.belief.revision import identification
from tolman.belief.unexplored import draw_points, explored_cells, point_map, read_unexplored_points, score_points
from tolman.core.rules import STRICT
from tolman.explore.actions import Actions, Term
from tolman.explore.episode import Episode
from tolman.sense import Observation
from tolman.world import AGENT, ChangedWorld, Pose


def pose(episode: Episode) -> Pose:
    return episode.scene.pose_at(episode.standing_on, episode.heading)


def _score(said: object, truth: CognitiveMap, episode: Episode) -> float:
    assert isinstance(said, CognitiveMap), said
    score = score_map(said, truth, MapScale.of(episode.scene), STRICT)
    assert score is not None
    assert score.overall is not None
    return score.overall


def global_score(talk: Talk) -> float:
    """The global map against all that was seen, and the agent."""
    episode = talk.episode
    said = read_global_map(talk.ask(global_map_prompt()), (*episode.scene.names, AGENT), STRICT)
    assert isinstance(said, CognitiveMap)
    assert set(said.places) == {*episode.seen, AGENT}
    return _score(said, true_global_map(episode.scene, pose(episode), episode.seen, STRICT), episode)


def revision_score(talk: Talk) -> float:
    """The map after the change against the whole world as it is now."""
    episode = talk.episode
    said = read_global_map(talk.ask(revision_map_prompt()), (*episode.scene.names, AGENT), STRICT)
    return _score(said, true_global_map(episode.scene, pose(episode), episode.scene.names, STRICT), episode)


def local_score(talk: Talk) -> float | None:
    """The local map against the view; None where nothing is in view."""
    episode, here = talk.episode, pose(talk.episode)
    truth = true_local_map(episode.scene, here, STRICT)
    if not isinstance(episode.turns[-1].feedback, Observation) or not truth.places:
        return None
    said = read_local_map(talk.ask(local_map_prompt()), episode.scene.names, here.heading, STRICT)
    assert isinstance(said, CognitiveMap)
    assert set(said.places) == set(truth.places)
    return _score(said, truth, episode)


def points_score(talk: Talk, seed: int) -> float | None:
    """F1 of the points called unexplored; None where there is none to be asked about."""
    episode = talk.episode
    looks = [
        episode.scene.pose_at(turn.standing_on, turn.heading)
        for turn in episode.turns
        if isinstance(turn.feedback, Observation)
    ]
    points = draw_points(episode.scene, explored_cells(episode.scene, looks), pose(episode), seed, len(episode.turns))
    if not points.cells:
        return None
    reply = talk.ask(unexplored_prompt(point_map(episode.scene, pose(episode), points)))
    return score_points(read_unexplored_points(reply, points, STRICT), points).f1


def report_score(talk: Talk, changed: ChangedWorld) -> float:
    """F1 of the report that ended a revision."""
    asked = talk.episode.turns[-1].asked
    assert isinstance(asked, Actions)
    assert isinstance(asked.final, Term)
    overall = identification(asked.final.changes or (), changed.changes, STRICT).overall
    assert overall is not None
    return overall
