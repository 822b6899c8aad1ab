"""Episodes as JSON lines. A line holds the world, every action and its outcome; reading one replays it."""

import json
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tolman.core.errors import ReplayError, SceneFileError, SettingsError, UnknownNameError
from tolman.core.limits import TooLargeError, check_json
from tolman.core.rules import rule_set
from tolman.core.seeds import canonical_json
from tolman.explore.actions import Action, Actions, Goto, Observe, Phase, Query, Rotate, Term
from tolman.explore.episode import Episode, EpisodeSettings, Feedback, Turn, begin_revision, step
from tolman.explore.grammar import FormatFailure, FormatFailureKind
from tolman.sense import Observation
from tolman.world import Change, ChangedWorld, changes_between, scene_from_dict, scene_to_dict

FORMAT: Literal["tolman.episode/1"] = "tolman.episode/1"


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _ChangeFile(_Closed):
    name: str
    kind: Literal["position", "orientation"]


class _ActionFile(_Closed):
    do: Literal["Goto", "Rotate", "Observe", "Query", "Term"]
    name: str | None = None
    degrees: int | None = None
    changes: list[_ChangeFile] | None = None


class _FormatFailureFile(_Closed):
    kind: FormatFailureKind
    message: str


class _TurnFile(BaseModel):
    phase: Phase
    actions: Annotated[list[_ActionFile], Field(min_length=1)] | None = None
    refusal: _FormatFailureFile | None = None


class _SettingsFile(_Closed):
    explore_turns: int
    revise_turns: int
    answer_queries: bool
    rules: str


class _EpisodeFile(_Closed):
    format: Literal["tolman.episode/1"]
    scene: dict[str, object]
    before: dict[str, object] | None
    settings: _SettingsFile
    turns: list[_TurnFile]


def episode_to_line(episode: Episode) -> str:
    """One line of JSON, without the line break."""
    settings = episode.settings
    return canonical_json(
        {
            "format": FORMAT,
            "scene": scene_to_dict(episode.scene),
            "before": None if episode.before is None else scene_to_dict(episode.before),
            "settings": {
                "explore_turns": settings.explore_turns,
                "revise_turns": settings.revise_turns,
                "answer_queries": settings.answer_queries,
                "rules": settings.rules.name,
            },
            "turns": [_turn_to_dict(turn) for turn in episode.turns],
        }
    )


def episode_from_line(line: str) -> Episode:
    """Replay a line that `episode_to_line` wrote; raises `ReplayError` where the replay differs from the record."""
    try:
        check_json(line, "it")
        file = _EpisodeFile.model_validate(json.loads(line))
        world = scene_from_dict(file.scene)
        before = None if file.before is None else scene_from_dict(file.before)
        recorded = file.settings
        rules = rule_set(recorded.rules)
        settings = EpisodeSettings(recorded.explore_turns, recorded.revise_turns, recorded.answer_queries, rules)
    except (ValidationError, TooLargeError, SceneFileError, SettingsError, UnknownNameError) as error:
        raise ReplayError(f"not a {FORMAT} line: {' '.join(str(error).split())}") from None
    except ValueError as error:
        raise ReplayError(f"not valid JSON: {error}") from None
    episode = Episode(world if before is None else before, settings)
    for turn in file.turns:
        if before is not None and turn.phase == "revise" and episode.phase == "explore":
            episode = begin_revision(episode, ChangedWorld(world, changes_between(before, world)))
        if episode.over or episode.phase != turn.phase:
            raise ReplayError(f"turn {len(episode.turns) + 1} comes after the end of its phase")
        episode = step(episode, _asked(turn))
    if before is not None and episode.phase == "explore":
        episode = begin_revision(episode, ChangedWorld(world, changes_between(before, world)))
    if json.loads(episode_to_line(episode)) != json.loads(line):
        raise ReplayError("the replay differs from the record: the line was altered or made by another version")
    return episode


def _turn_to_dict(turn: Turn) -> dict[str, object]:
    asked: dict[str, object] = {}
    if isinstance(turn.asked, FormatFailure):
        asked["refusal"] = {"kind": turn.asked.kind, "message": turn.asked.message}
    else:
        asked["actions"] = [_action_to_dict(action) for action in (*turn.asked.moves, turn.asked.final)]
    return {
        "phase": turn.phase,
        **asked,
        "done": len(turn.done),
        "failure": None if turn.failure is None else {"action": turn.failure.action, "reason": turn.failure.reason},
        "told": _feedback_to_dict(turn.feedback),
        "cost": turn.cost,
        "forced": turn.forced,
        "standing_on": turn.standing_on,
        "heading": turn.heading.word,
    }


def _action_to_dict(action: Action) -> dict[str, object]:
    values: dict[str, object] = {"do": type(action).__name__}
    if isinstance(action, Goto | Query):
        values["name"] = action.name
    elif isinstance(action, Rotate):
        values["degrees"] = action.degrees
    elif isinstance(action, Term) and action.changes is not None:
        values["changes"] = [{"name": change.name, "kind": change.kind} for change in action.changes]
    return values


def _feedback_to_dict(feedback: Feedback) -> dict[str, object] | None:
    if feedback is None:
        return None
    if isinstance(feedback, Observation):
        return {
            "sightings": [[s.name, s.direction, s.distance, s.detail] for s in feedback.sightings],
            "near_pairs": [[p.name, p.other, p.direction, p.distance] for p in feedback.near_pairs],
        }
    facing = None if feedback.facing is None else feedback.facing.word
    return {"name": feedback.name, "position": feedback.position, "facing": facing}


def _asked(turn: _TurnFile) -> Actions | FormatFailure:
    if turn.refusal is not None:
        return FormatFailure(turn.refusal.kind, turn.refusal.message)
    *moves, last = [_action(action) for action in turn.actions or ()] or [Term()]
    checked = tuple(move for move in moves if isinstance(move, Goto | Rotate))
    if isinstance(last, Goto | Rotate) or len(checked) != len(moves):
        raise ReplayError("a recorded turn is not a list of moves ended by one final action")
    return Actions(checked, last)


def _action(file: _ActionFile) -> Action:
    match file:
        case _ActionFile(do="Goto", name=str(name)):
            return Goto(name)
        case _ActionFile(do="Query", name=str(name)):
            return Query(name)
        case _ActionFile(do="Rotate", degrees=int(degrees)):
            return Rotate(degrees)
        case _ActionFile(do="Observe"):
            return Observe()
        case _ActionFile(do="Term", changes=None):
            return Term()
        case _ActionFile(do="Term", changes=list(changes)):
            return Term(tuple(Change(change.name, change.kind) for change in changes))
        case _:
            raise ReplayError(f"a recorded {file.do} lacks its argument")
