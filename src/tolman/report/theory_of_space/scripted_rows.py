"""Rows of scripted models on the scenes of a run: what good exploration, and the best use of it, are worth there."""

from collections.abc import Mapping, Sequence
from functools import partial

from pydantic import TypeAdapter

from tolman.benchmarks.theory_of_space.at_once import explorers_log, live_at_once
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.columns import columns
from tolman.benchmarks.theory_of_space.conversation import Message
from tolman.benchmarks.theory_of_space.options import Mode, Options
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord, ScoredCase
from tolman.explore.episode import Episode
from tolman.models.handed import Handed
from tolman.models.scripted.reply import reply_to
from tolman.report.theory_of_space.kept import kept
from tolman.report.theory_of_space.reference_row import ReferenceRow, pooled, setting_of
from tolman.report.track import Track, silently
from tolman.rules import PUBLISHED, STRICT, RuleSetName
from tolman.spread import spread

AGENTS: dict[Mode, tuple[str, ...]] = {
    "active": ("scout", "strategist", "ideal", "oracle"),
    "passive": ("ideal", "oracle"),
}
"""Those that differ: whoever reads the same log knows the same."""
Scores = dict[RuleSetName, dict[str, tuple[float, ...]]]
"""Columns of a scene, by rule set."""
_SCORES = TypeAdapter(Scores)


def scripted_rows(
    cases: Sequence[Case], mode: Mode, explorer: str = "", without: Sequence[str] = (), track: Track = silently
) -> list[ReferenceRow]:
    """Scripted models in the text world, under both rule sets: they explore, or read the log of `explorer`, and answer.

    They state no maps and revise nothing. `without` names models that are there already.
    """
    rows: list[ReferenceRow] = []
    for agent in AGENTS[mode]:
        if f"tolman/{agent}" not in without:
            rows += _rows(agent, cases, Options(mode=mode, explorer=explorer, phases=("explore", "ask")), track)
    return rows


def _rows(agent: str, cases: Sequence[Case], options: Options, track: Track) -> list[ReferenceRow]:
    found = list(zip(track(cases, f"tolman/{agent}"), spread(partial(_scores, agent, options), cases), strict=True))
    return [
        ReferenceRow(
            name=f"tolman/{agent}",
            source="a scripted model of Tolman",
            setting=setting_of(cases, "text", options.mode, options.explorer),
            values=pooled(scores[rules.name] for _, scores in found),
            rules=rules.name,
            scenes=len(cases),
            same_scenes=True,
        )
        for rules in (STRICT, PUBLISHED)
    ]


def _scores(agent: str, options: Options, case: Case) -> Scores:
    key = [agent, options.as_dict(), case.seed, case.scene.digest, [question.id for question in case.questions]]
    return kept("scripted", key, _SCORES, lambda: _lived(agent, options, case))


def _lived(agent: str, options: Options, case: Case) -> Scores:
    def answer(call: str, messages: Sequence[Message], episode: Episode) -> str:
        handed = Handed(call, case.id, episode.scene, episode.before)
        return reply_to(agent, [(message.role, message.text) for message in messages], handed)

    replies: Mapping[str, str | None] = live_at_once(case, options, answer)
    calls = [Call(name=name, reply=reply or "") for name, reply in replies.items()]
    log = explorers_log(case, options)
    record = SceneRecord(log=[str(turn.asked) for turn in (log.turns if log else ())], calls=calls)
    scored = ScoredCase(case, options, record)
    return {rules.name: columns(scored.scores(rules)) for rules in (STRICT, PUBLISHED)}
