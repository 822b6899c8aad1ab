"""Blind baselines: maps, unexplored points and change reports that use nothing of what was observed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tolman.belief.cognitive_map import CognitiveMap, Placement, UnexploredForm, global_form, local_form
from tolman.belief.map_scores import mean
from tolman.belief.unexplored import CandidatePoints, point_score
from tolman.benchmarks.theory_of_space.case import Case, elicit_call, turn_call
from tolman.benchmarks.theory_of_space.columns import Columns, columns
from tolman.benchmarks.theory_of_space.explored_turns import ExploredTurn, explored_turns, points_of
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.run_scene import explorer_log, rebuild
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.scores import score_scene
from tolman.core.geometry import Heading, difference, distance
from tolman.core.rules import PUBLISHED, STRICT, Rules, RuleSetName
from tolman.core.seeds import rng
from tolman.explore.actions import Term
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode
from tolman.sense import Observation
from tolman.world import AGENT, Change, Pose, Scene
from tolman.world.perturb import ChangeKind

_EXPLORER = "scout"
_LOOK_AROUND = ("[Observe()]", *("[Rotate(90), Observe()]",) * 3)
_KINDS: tuple[ChangeKind, ...] = ("position", "orientation")
_STRATEGY_COLUMNS = ("map/", "revise/")
"""Prefixes of the columns that depend on a strategy's replies."""
_REACH = 5
"""Largest offset from the start, in cells east and north, in a random map."""

PointLetters = Sequence[str]
Places = Mapping[str, Placement]


@dataclass(frozen=True)
class BlindStrategy:
    """A way to reply without observing anything; requests whose function is None are not answered or scored."""

    meaning: str
    points: Callable[[CandidatePoints, Pose, np.random.Generator], PointLetters] | None = None
    """Letters to report as unexplored, given the marked points and the agent's pose."""
    places: Callable[[Scene, ExploredTurn | None, np.random.Generator], Places] | None = None
    """Placements for the global and the local map; the turn is the one after which the map is elicited."""
    changes: Callable[[Scene, int, np.random.Generator], Sequence[Change]] | None = None
    """Change report, given the number of announced changes."""


def _by_distance(points: CandidatePoints, pose: Pose) -> PointLetters:
    letters = points.letters
    return sorted(letters, key=lambda letter: distance(difference(letters[letter], pose.cell)))


def _all_at_start(scene: Scene, turn: ExploredTurn | None, stream: np.random.Generator) -> Places:
    """Everything 0.1 cells from the start, facing north: things at the same point have no direction to each other."""
    del turn, stream
    turns = np.linspace(0.0, 2 * np.pi, len(scene.names), endpoint=False)
    at = zip(scene.names, (0.1 * np.sin(turns)).tolist(), (0.1 * np.cos(turns)).tolist(), strict=True)
    places = {name: Placement((round(x, 3), round(y, 3)), Heading.NORTH) for name, x, y in at}
    return {**places, AGENT: Placement((0.0, 0.0), Heading.NORTH)}


def _first_seen_thing(scene: Scene, turn: ExploredTurn | None, stream: np.random.Generator) -> Places:
    """Only the first thing that was seen, one cell ahead of the start."""
    del scene, stream
    first = turn.seen[:1] if turn else ()
    return {AGENT: Placement((0.0, 0.0), Heading.NORTH), **{name: Placement((0.0, 1.0), None) for name in first}}


def _random_map(scene: Scene, turn: ExploredTurn | None, stream: np.random.Generator) -> Places:
    del turn

    def random_placement() -> Placement:
        x, y = stream.integers(-_REACH, _REACH + 1, size=2).tolist()
        return Placement((float(x), float(y)), Heading(int(stream.integers(4))))

    return {name: random_placement() for name in (*scene.names, AGENT)}


def _random_changes(scene: Scene, count: int, stream: np.random.Generator) -> Sequence[Change]:
    chosen = stream.choice(len(scene.things), size=min(count, len(scene.things)), replace=False)
    return [Change(scene.things[int(i)].name, _KINDS[int(stream.integers(2))]) for i in chosen]


BLIND_STRATEGIES = {
    "all": BlindStrategy(
        "names every point, and every change of every thing",
        points=lambda points, _, __: list(points.letters),
        changes=lambda scene, _, __: [Change(thing.name, kind) for thing in scene.things for kind in _KINDS],
    ),
    "none": BlindStrategy(
        "names no point and no change; states an empty map",
        lambda _, __, ___: [],
        lambda _, __, ___: {},
        lambda _, __, ___: [],
    ),
    "constant": BlindStrategy(
        "first half of the points; everything at the start, facing north; the first things, as moved",
        points=lambda points, _, __: list(points.letters)[: len(points.cells) // 2],
        places=_all_at_start,
        changes=lambda scene, count, _: [Change(thing.name, "position") for thing in scene.things[:count]],
    ),
    "blind": BlindStrategy(
        "points, places and changes at random",
        points=lambda points, _, stream: [letter for letter in points.letters if stream.random() < 0.5],
        places=_random_map,
        changes=_random_changes,
    ),
    "one thing": BlindStrategy("a map of the first thing that was seen, and of nothing else", places=_first_seen_thing),
    "far": BlindStrategy(
        "the half of the points that is farthest from the agent",
        points=lambda points, pose, _: _by_distance(points, pose)[len(points.cells) // 2 :],
    ),
    "near": BlindStrategy(
        "the half of the points that is nearest to the agent",
        points=lambda points, pose, _: _by_distance(points, pose)[: len(points.cells) // 2],
    ),
    "turned": BlindStrategy(
        "the first things that can be turned, as turned",
        changes=lambda scene, count, _: [
            Change(thing.name, "orientation") for thing in scene.things if thing.front is not None
        ][:count],
    ),
}
"""By name in tables."""


def blind_columns(
    case: Case, options: Options, names: Sequence[str] = tuple(BLIND_STRATEGIES), explorer: str = _EXPLORER
) -> dict[str, dict[RuleSetName, Columns]]:
    """Scores of the strategies in one scene, by name, rule set and column.

    A scripted `explorer` explores, parsed under the `strict` rules; exploration and answers are not scored here.
    """
    log = explorer_log(case, options)
    episode = log or run_explorer(explorer, case.scene, case.seed, options.episode)
    actions = [str(turn.asked) for turn in episode.turns if not turn.forced]
    turns = {} if log else {turn_call("explore", number): reply for number, reply in enumerate(actions, start=1)}
    found: dict[str, dict[RuleSetName, Columns]] = {}
    for name in names:
        strategy = BLIND_STRATEGIES[name]
        replies = {
            **turns,
            **dict(_elicited_replies(strategy, case, options, episode)),
            **dict(_revision_replies(strategy, case, options)),
        }
        for rules in (STRICT, PUBLISHED):
            scored = columns(score_scene(case, options, replies, actions if log else (), rules))
            found.setdefault(name, {})[rules.name] = {
                c: v for c, v in scored.items() if c.startswith(_STRATEGY_COLUMNS)
            }
    return found


def blind_explorations(case: Case, options: Options) -> dict[str, Columns]:
    """Exploration scores of agents without a plan: none at all, a look around at the start, a random walk."""
    walk = run_explorer("random", case.scene, case.seed, options.episode)
    explorations = {
        "ends at once": [],
        "looks around": list(_LOOK_AROUND),
        "random walk": [str(turn.asked) for turn in walk.turns if not turn.forced],
    }
    found: dict[str, Columns] = {}
    for name, actions in explorations.items():
        ended = actions if name == "random walk" else [*actions, "[Term()]"]
        replies = {turn_call("explore", number): reply for number, reply in enumerate(ended, start=1)}
        scored = columns(score_scene(case, options, replies, (), STRICT))
        found[name] = {column: values for column, values in scored.items() if column.startswith("explore/")}
    return found


def blind_point_scores(scored: ScoredCase, rules: Rules) -> Iterator[tuple[str, float | None]]:
    """Scores of the strategies on the unexplored points elicited in a record, after the turns of that record."""
    case, replies = scored.case, scored.record.replies
    turns = explored_turns(rebuild(case, scored.options, replies, scored.record.log))
    asked = [
        (turn, points)
        for turn, points in zip(turns, points_of(case, turns), strict=True)
        if points.cells and elicit_call("explore", turn.number, "points") in replies
    ]
    for name, strategy in BLIND_STRATEGIES.items():
        if strategy.points is not None:
            scores: list[float | None] = []
            for turn, points in asked:
                named = strategy.points(points, turn.pose, rng(case.seed, "blind", turn.number))
                scores.append(point_score([points.letters[letter] for letter in named], points, rules))
            yield name, mean(scores)


def _elicited_replies(
    strategy: BlindStrategy, case: Case, options: Options, episode: Episode
) -> Iterator[tuple[str, str]]:
    turns = explored_turns(episode)
    elicited = {"every": turns, "last": turns[-1:], "off": ()}[options.probe_turns]
    for turn, points in zip(turns, points_of(case, turns), strict=True):
        if turn not in elicited:
            continue
        stream = rng(case.seed, "blind", turn.number)
        view = turn.turn.feedback.names if isinstance(turn.turn.feedback, Observation) else ()
        if strategy.places is not None:
            places = strategy.places(case.scene, turn, stream)
            yield elicit_call("explore", turn.number, "global"), _global(places)
            if view and not turn.turn.ended_phase:
                yield elicit_call("explore", turn.number, "local"), _local(places, view)
        if strategy.points is not None and points.cells and not turn.turn.ended_phase:
            letters = strategy.points(points, turn.pose, stream)
            form = UnexploredForm(unexplored=sorted(letters))
            yield elicit_call("explore", turn.number, "points"), form.model_dump_json()


def _revision_replies(strategy: BlindStrategy, case: Case, options: Options) -> Iterator[tuple[str, str]]:
    """Four observations from the start, then the report."""
    if strategy.changes is None or case.changed is None or not options.revises:
        return
    stream = rng(case.seed, "blind", "revise")
    for number, actions in enumerate(_LOOK_AROUND, start=1):
        yield turn_call("revise", number), actions
        if strategy.places is not None and options.probe_turns == "every":
            yield elicit_call("revise", number, "global"), _global(strategy.places(case.changed, None, stream))
    report = Term(tuple(strategy.changes(case.scene, len(case.changes), stream)))
    yield turn_call("revise", len(_LOOK_AROUND) + 1), f"[{report}]"


def _global(places: Places) -> str:
    return global_form(CognitiveMap(places)).model_dump_json(exclude_none=True)


def _local(places: Places, view: Sequence[str]) -> str:
    """The placements of what is in view, in the frame of an agent at the start."""
    seen = {name: places[name] for name in view if name in places}
    return local_form(CognitiveMap(seen), Heading.NORTH).model_dump_json(exclude_none=True)
