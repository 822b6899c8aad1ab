"""Reference rows computed on the scenes of a run: chance, constant and blind replies, and scripted models; and the
scores of blind strategies on every column, whose headline columns have a stated baseline.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

import tolman
from tolman.ask import blind_reply, chance_level, constant_reply, find_kind, grade
from tolman.benchmarks.theory_of_space.blind_baselines import BLIND_STRATEGIES, blind_columns, blind_explorations
from tolman.benchmarks.theory_of_space.case import Case, case_of, question_calls
from tolman.benchmarks.theory_of_space.columns import BEST_WITHOUT_KNOWLEDGE, KINDS, columns, kind_title
from tolman.benchmarks.theory_of_space.options import Mode, Options
from tolman.benchmarks.theory_of_space.protocol.prompts import Message
from tolman.benchmarks.theory_of_space.protocol.run_scene import explorer_log, run_offline
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.tables.layout import ReferenceRow, setting_of
from tolman.core.files import atomic_write, cache_folder
from tolman.core.grouping import gathered
from tolman.core.parallel import Track, parallel_map, tracked_map, untracked
from tolman.core.rules import PUBLISHED, RULE_SETS, STRICT, RuleSetName
from tolman.core.seeds import digest
from tolman.explore.episode import Episode
from tolman.models.call_context import SceneCallContext
from tolman.models.scripted.reply import reply_to
from tolman.report.baselines import BaselineGrid, BaselineRequest, Values, numbers_of
from tolman.report.statistics import pooled_columns
from tolman.world import WorldSettings
from tolman.world.select import choose_scenes

T = TypeVar("T")
_CODE_FOLDERS = ("core", "world", "sense", "belief", "explore", "ask", "ideal", "models", "harness", "benchmarks")


def cached_result(kind: str, key: object, adapter: TypeAdapter[T], compute: Callable[[], T]) -> T:
    """The result of `compute`, cached on disk by key and by a digest of the code."""
    file = cache_folder() / kind / f"{digest([_code_digest(), key])}.json"
    with suppress(OSError, ValidationError):
        return adapter.validate_json(file.read_bytes(), strict=True)
    result = compute()
    _write_cache(file, adapter.dump_json(result))
    return result


@cache
def _code_digest() -> str:
    """A digest of all source files that scores depend on."""
    folder = Path(str(tolman.__file__)).parent
    files = sorted(folder.glob("*.py")) + sorted(file for part in _CODE_FOLDERS for file in (folder / part).rglob("*"))
    return digest([file.read_text(encoding="utf-8") for file in files if file.suffix in (".py", ".txt")])


def _write_cache(file: Path, content: bytes) -> None:
    """Write atomically; if the disk can't be written to, results are computed again."""
    with suppress(OSError):
        atomic_write(file, content)


GUESSES = ("chance", "constant", "blind")
GuessScores = dict[str, dict[RuleSetName, list[float]]]
"""Scores of the questions in order, by name of the guess and rule set."""
_GUESS_SCORES = TypeAdapter(GuessScores)


def guesses(case: Case, choices: int = 0) -> GuessScores:
    """Scores of all guesses, cached: they take a quarter of a second. Among `choices` there is only chance."""
    if choices:
        level = [1 / choices] * len(case.questions)
        return {"chance": {"strict": level, "published": level}}
    return cached_result(
        "guesses", [case.seed, [question.id for question in case.questions]], _GUESS_SCORES, lambda: _guess_scores(case)
    )


def _guess_scores(case: Case) -> GuessScores:
    found: GuessScores = {name: {} for name in GUESSES}
    for rules in (STRICT, PUBLISHED):
        asked = case.questions
        found["chance"][rules.name] = [chance_level(question, rules) for question in asked]
        found["constant"][rules.name] = [grade(q, constant_reply(q), rules).score for q in asked]
        found["blind"][rules.name] = [grade(q, blind_reply(q, case.seed), rules).score for q in asked]
    return found


MEANING = {
    "chance": "mean score of all valid answers, each as likely as the next",
    "constant": "the same answer to every question of a kind",
    "blind": "a guess by someone who knows the names and the format only",
}
_BLIND_COLUMNS = TypeAdapter(dict[str, dict[RuleSetName, dict[str, tuple[float, ...]]]])


def baseline_rows(
    cases: Sequence[Case], options: Options, *, maps: bool = True, track: Track = untracked
) -> list[ReferenceRow]:
    """Each baseline under both rule sets, with intervals over the scenes, in the world and mode of the options.

    Guesses answer the questions of the cases. With `maps`, blind strategies also state maps, points and changes.
    """
    answered = tracked_map(partial(guesses, choices=options.choices), cases, track, "guesses")
    guessed = list(zip(cases, answered, strict=True))
    stated = tracked_map(partial(_blind_columns, options=options), cases if maps else (), track, "blind maps")
    rows: list[ReferenceRow] = []
    for name in dict.fromkeys((*GUESSES, *BLIND_STRATEGIES)):
        meanings = MEANING.get(name), BLIND_STRATEGIES[name].meaning if name in BLIND_STRATEGIES else None
        for rules in RULE_SETS:
            answers = (_answer_columns(case, scores[name][rules]) for case, scores in guessed if name in scores)
            values = pooled_columns(answers) | pooled_columns(
                scores[name][rules] for scores in stated if name in BLIND_STRATEGIES
            )
            if values:
                rows.append(
                    ReferenceRow(
                        name=name,
                        source="; ".join(filter(None, meanings)),
                        setting=setting_of(cases, options.world, options.mode),
                        values=values,
                        rules=rules,
                        scenes=len(cases),
                        same_scenes=True,
                    )
                )
    return rows


def _blind_columns(case: Case, options: Options) -> dict[str, dict[RuleSetName, dict[str, tuple[float, ...]]]]:
    changed = None if case.changed is None else case.changed.digest
    key = [case.seed, case.scene.digest, changed, case.released, options.as_dict()]
    return cached_result("blind", key, _BLIND_COLUMNS, lambda: blind_columns(case, options))


def _answer_columns(case: Case, scores: Sequence[float]) -> dict[str, list[float]]:
    """Columns of one scene; as in `columns`, the mean excludes questions with pictures."""
    scored = list(zip(case.questions, scores, strict=True))
    kinds = ((f"ask/none/{question.kind}", score) for question, score in scored)
    without = (("ask/none", score) for question, score in scored if not find_kind(question.kind).in_pictures)
    return gathered(chain(kinds, without))


SCRIPTED_AGENTS: dict[Mode, tuple[str, ...]] = {
    "active": ("scout", "strategist", "ideal", "oracle"),
    "passive": ("ideal", "oracle"),
}
"""Agents by mode; passive agents that read the same log differ only in how they answer."""
ScriptedScores = dict[RuleSetName, dict[str, tuple[float, ...]]]
"""Columns of a scene, by rule set."""
_SCRIPTED_SCORES = TypeAdapter(ScriptedScores)


def scripted_rows(
    cases: Sequence[Case], options: Options, without: Sequence[str] = (), track: Track = untracked
) -> list[ReferenceRow]:
    """Scripted models in the text world, under both rule sets: they explore, or read a log, and answer.

    They state no maps and do not revise. `without` lists models to skip, as they are among the runs.
    """
    rows: list[ReferenceRow] = []
    for agent in SCRIPTED_AGENTS[options.mode]:
        if f"tolman/{agent}" not in without:
            rows += _scripted_rows(agent, cases, options, track)
    return rows


def _scripted_rows(agent: str, cases: Sequence[Case], options: Options, track: Track) -> list[ReferenceRow]:
    found = tracked_map(partial(_scripted_scores, agent, options), cases, track, f"tolman/{agent}")
    return [
        ReferenceRow(
            name=f"tolman/{agent}",
            source="a scripted model of Tolman",
            setting=setting_of(cases, "text", options.mode, options.explorer),
            values=pooled_columns(scores[rules.name] for scores in found),
            rules=rules.name,
            scenes=len(cases),
            same_scenes=True,
        )
        for rules in (STRICT, PUBLISHED)
    ]


def _scripted_scores(agent: str, options: Options, case: Case) -> ScriptedScores:
    key = [agent, options.as_dict(), case.seed, case.scene.digest, [question.id for question in case.questions]]
    return cached_result("scripted", key, _SCRIPTED_SCORES, lambda: _run_scripted(agent, options, case))


def _run_scripted(agent: str, options: Options, case: Case) -> ScriptedScores:
    questions = {call: asked for mode in options.maps for call, asked in question_calls(mode, case.questions)}

    def answer(call: str, messages: Sequence[Message], episode: Episode) -> str:
        context = SceneCallContext(call, case.id, episode.scene, episode.before, questions.get(call))
        return reply_to(agent, [(message.role, message.text) for message in messages], context)

    replies: Mapping[str, str | None] = run_offline(case, options, answer)
    calls = [Call(name=name, reply=reply or "") for name, reply in replies.items()]
    log = explorer_log(case, options)
    record = SceneRecord(log=[str(turn.asked) for turn in (log.turns if log else ())], calls=calls)
    scored = ScoredCase(case, options, record)
    return {rules.name: columns(scored.scores(rules)) for rules in (STRICT, PUBLISHED)}


_DIMENSIONS = {
    "correctness": ("last map", ("facing", "position", "direction", "overall")),
    "perception": ("perception", ("facing", "position", "overall")),
    "self_tracking": ("self-tracking", ("facing", "position", "overall")),
    "consistency": ("local against global", ("facing", "position", "overall", "coverage")),
    "stability": ("stability", ("facing", "position", "coverage")),
    "still_right": ("still right", ("facing", "position")),
}
_COLUMN_TITLES = {
    **{f"ask/none/{kind}": f"answers, {kind_title(kind)}" for kind in KINDS},
    "ask/none": "answers, average",
    "explore/cost": "exploration, cost",
    "explore/gain": "information gain",
    **{
        f"map/{dimension}/{part}": f"{title}, {part}"
        for dimension, (title, parts) in _DIMENSIONS.items()
        for part in parts
    },
    "map/uncertainty": "unexplored points",
    "revise/f1": "changes found, F1",
    "revise/f1/facing": "changes found, turned",
    "revise/f1/position": "changes found, moved",
    "revise/correctness/facing": "revised maps, facing",
    "revise/correctness/position": "revised maps, position",
    "revise/inertia/facing": "inertia, facing (0 is best)",
    "revise/inertia/position": "inertia, position (0 is best)",
}
_TOPICS = {
    next(iter(_COLUMN_TITLES)): "answers",
    "explore/cost": "exploration",
    "map/correctness/facing": "maps",
    "map/uncertainty": "unexplored points",
    "revise/f1": "revision",
}
_BY_DISTANCE = ("far", "near")
"""Strategies that use the positions of the marked points; their scores depend on the explorer."""
_EXPLORATIONS = {
    "ends at once": "never looks",
    "looks around": "four looks from the start",
    "random walk": "looks and walks at random",
}


def baseline_grid(request: BaselineRequest) -> BaselineGrid:
    """The baselines in the text world, active mode."""
    scenes, options = request.scenes, Options()
    cases = [case_of(choice, options) for choice in choose_scenes(scenes, WorldSettings())]
    values: Values = {}
    for row in baseline_rows(cases, options, track=request.track):
        values.setdefault(row.name, {})[row.rules] = numbers_of(row.values)
    random_walks = list(
        parallel_map(partial(blind_columns, options=options, names=_BY_DISTANCE, explorer="random"), cases)
    )
    for name in _BY_DISTANCE:
        values[f"{name}, after random looks"] = {
            rules: numbers_of(pooled_columns(scene[name][rules] for scene in random_walks)) for rules in RULE_SETS
        }
    explored = list(parallel_map(partial(blind_explorations, options=options), cases))
    for name in _EXPLORATIONS:
        found = numbers_of(pooled_columns(scene[name] for scene in explored))
        values[name] = {"strict": found, "published": found}
    meanings = {name: "; ".join(filter(None, (MEANING.get(name), _strategy_meaning(name)))) for name in values}
    return BaselineGrid(
        "Theory of Space",
        f"scenes {scenes}",
        len(cases),
        meanings,
        _COLUMN_TITLES,
        BEST_WITHOUT_KNOWLEDGE,
        values,
        ("explore/cost",),
        _TOPICS,
    )


def _strategy_meaning(name: str) -> str:
    plain, _, random_walks = name.partition(", ")
    if random_walks:
        return f"the same as {plain}, where not the scout explores, but someone who looks and walks at random"
    return BLIND_STRATEGIES[name].meaning if name in BLIND_STRATEGIES else _EXPLORATIONS.get(name, "")
