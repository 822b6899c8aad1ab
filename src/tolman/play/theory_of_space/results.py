"""A person's result beside scripted explorers, and in one scene: scores, answers, and the map against the truth."""

import asyncio
import math
from collections.abc import Awaitable, Iterator, Sequence
from pathlib import Path

from tolman.ask import grade, oracle_reply
from tolman.benchmarks.theory_of_space.case import Case, elicit_call, question_calls
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.picture_marks import caption, split_at_marks
from tolman.benchmarks.theory_of_space.protocol.prompts import Message
from tolman.benchmarks.theory_of_space.protocol.run_scene import SceneRun
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.revision import plain_map, views_of
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, score_record
from tolman.benchmarks.theory_of_space.tables import read_runs, summarise_run
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, CORRECTNESS, GAIN
from tolman.core.rules import STRICT
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode
from tolman.models.scripted.reply import reply_to
from tolman.play.playable import PageContent, PlayResult, ResultRow, Review, ReviewedAnswer
from tolman.play.theory_of_space.session import PlaySession


class _ScriptedStage:
    """The stage of a scene for a scripted agent; see `Stage`."""

    def __init__(self, agent: str, case: Case) -> None:
        self._agent, self._case = agent, case
        self.calls: list[Call] = []

    async def speak(self, call: str, messages: Sequence[Message], episode: Episode) -> str:
        del episode
        reply = reply_to(self._agent, [(message.role, self._in_words(message)) for message in messages])
        self.calls.append(Call(name=call, reply=reply))
        return reply

    def _in_words(self, message: Message) -> str:
        """The text of a message, with captions in place of its images."""
        if message.role != "user":
            return message.text
        pieces = (
            piece if isinstance(piece, str) else caption(self._case, piece) for piece in split_at_marks(message.text)
        )
        return "\n".join(filter(None, pieces))

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        del heading
        for awaitable in awaitables:
            await awaitable


def scripted_run(agent: str, cases: Sequence[Case], options: Options) -> TheoryOfSpaceRun:
    """The run of a scripted agent on some cases."""
    scenes = [score_record(_scripted_case(agent, case, options)) for case in cases]
    return TheoryOfSpaceRun(f"tolman/{agent}", options, scenes, [], len(scenes))


def _scripted_case(agent: str, case: Case, options: Options) -> ScoredCase:
    passive = options.mode == "passive"
    log = run_explorer(case.explorer or options.passive_explorer, case.scene, case.seed) if passive else None
    stage = _ScriptedStage(agent, case)
    asyncio.run(SceneRun(case, options, stage).run(log))
    read = [str(turn.asked) for turn in log.turns] if log else []
    return ScoredCase(case, options, SceneRecord(log=read, calls=stage.calls))


def last_map(session: PlaySession) -> str | None:
    """The reply with a person's last map of the exploration."""
    turns = range(len(session.explored.turns), 0, -1)
    replies = (session.replies.get(elicit_call("explore", number, "global")) for number in turns)
    return next((reply for reply in replies if reply is not None), None)


def map_against_truth(session: PlaySession) -> bytes:
    """The true map as a PNG, with the last map of the person drawn over it where one was elicited."""
    from tolman.render import map_picture  # noqa: PLC0415 - drawing takes a second to load

    reply = last_map(session) or ""
    scene, last = session.case.scene, session.explored.turns[-1]
    seen = {name for names in views_of(session.explored.turns) for name in names}
    pose = scene.pose_at(last.standing_on, last.heading)
    return map_picture(scene, pose, plain_map(reply, scene, STRICT) or {}, seen=seen)


REFERENCES = ("scout", "strategist")
COLUMNS = {
    "cost": "explore/cost",
    "information gain": GAIN,
    "answers": ANSWERS,
    "last map": CORRECTNESS,
    "changes found": "revise/f1",
}
MEANINGS = {
    "cost": "one for each look, two for each question to the world; less is better",
    "information gain": "how much of what could be known followed from what was seen",
    "answers": "questions answered right, near misses counted in part",
    "last map": "how much of the place was seen, and drawn right on the last map",
    "changes found": "which things had been moved or turned (F1)",
}
_PERCENT = {"information gain", "answers", "last map", "changes found"}


def play_result(model: str, logs: Sequence[Path], cases: Sequence[Case], options: Options) -> PlayResult:
    """The mean scores of a person over all scenes under the strict rules, beside reference agents."""
    warnings: list[str] = []
    own = [run for run in read_runs(logs, warnings.append) if run.model == model]
    runs = [*own, *(scripted_run(agent, cases, options) for agent in REFERENCES)]
    return _table(runs, warnings)


def session_review(session: PlaySession, figure: PageContent) -> Review:
    """The scores of a finished session under the strict rules, each answer, and the figure with the truth."""
    calls = [Call(name=call, reply=reply) for call, reply in session.replies.items()]
    read = [str(turn.asked) for turn in session.explored.turns] if session.options.mode == "passive" else []
    record = ScoredCase(session.case, session.options, SceneRecord(log=read, calls=calls))
    run = TheoryOfSpaceRun("", session.options, [score_record(record)], [], 1)
    measured = summarise_run(run).measured["strict"]
    means = {head: measured.interval(column).mean for head, column in COLUMNS.items()}
    scores = {head: _shown(head, mean) for head, mean in means.items() if not math.isnan(mean)}
    return Review(scores, tuple(_answers(session)), figure)


def _answers(session: PlaySession) -> Iterator[ReviewedAnswer]:
    for mode in session.options.maps:
        for call, question in question_calls(mode, session.case.questions):
            said = session.replies.get(call, "")
            score = grade(question, said, STRICT).score
            yield ReviewedAnswer(question.text, said, oracle_reply(question), score)


def _table(runs: Sequence[TheoryOfSpaceRun], warnings: Sequence[str]) -> PlayResult:
    """Columns without values are left out."""
    measured = [summarise_run(run).measured["strict"] for run in runs]
    means = {head: [of.interval(column).mean for of in measured] for head, column in COLUMNS.items()}
    heads = tuple(head for head, values in means.items() if not all(map(math.isnan, values)))
    rows = tuple(
        ResultRow(run.name, tuple(_shown(head, means[head][number]) for head in heads))
        for number, run in enumerate(runs)
    )
    return PlayResult(heads, rows, len(runs[0].cases), MEANINGS, "two scripted explorers", tuple(warnings))


def _shown(head: str, mean: float) -> str:
    if math.isnan(mean):
        return "–"
    return f"{100 * mean:.1f} %" if head in _PERCENT else f"{mean:.1f}"
