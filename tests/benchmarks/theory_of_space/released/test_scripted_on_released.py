"""Scripted models on released scenes: they answer the authors' questions, in the authors' words, or refuse them."""

from collections.abc import Sequence

import pytest

from tests.benchmarks.theory_of_space.released.run_archives import FOLDER
from tolman.ask import VISION_KINDS, grade, parse_kind
from tolman.benchmarks.theory_of_space.case import question_calls
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.prompts import Message
from tolman.benchmarks.theory_of_space.protocol.run_scene import run_offline
from tolman.benchmarks.theory_of_space.released.cases import released_cases
from tolman.core.errors import SettingsError
from tolman.core.rules import STRICT
from tolman.explore.episode import Episode
from tolman.models.call_context import SceneCallContext
from tolman.models.scripted.reply import reply_to

if not FOLDER.is_dir():
    pytest.skip("the released scenes and runs are not beside this checkout", allow_module_level=True)

SOURCE = f"{FOLDER / 'runs-04-06.tar.xz'}:gpt-5.2"


def replies_of(agent: str, options: Options) -> dict[str, float]:
    case = (released_cases(SOURCE, options) or [])[0]
    questions = dict(question_calls("none", case.questions))
    assert all(parse_kind(question.text) is None for question in questions.values())

    def answer(call: str, messages: Sequence[Message], episode: Episode) -> str:
        context = SceneCallContext(call, case.id, episode.scene, episode.before, questions.get(call))
        return reply_to(agent, [(message.role, message.text) for message in messages], context)

    said = run_offline(case, options, answer)
    return {call: grade(question, said[call] or "", STRICT).score for call, question in questions.items()}


@pytest.mark.parametrize(("agent", "least"), [("oracle", 1.0), ("strategist", 0.9), ("ideal", 0.9)])
def test_released_questions_are_understood(agent: str, least: float):
    scores = replies_of(agent, Options(phases=("explore", "ask"), rules="published"))
    assert len(scores) == 27
    assert sum(scores.values()) / len(scores) >= least


def test_a_picture_that_is_not_here_is_refused_in_one_line_but_not_by_the_oracle():
    options = Options(world="vision", kinds=VISION_KINDS, phases=("explore", "ask"), rules="published")
    assert set(replies_of("oracle", options).values()) == {1.0}
    case = (released_cases(SOURCE, options) or [])[0]
    context = SceneCallContext("ask", case.id, case.scene, question=case.questions[0])
    with pytest.raises(SettingsError, match=r"tolman/scout can't see the picture .* use tolman/oracle"):
        reply_to("scout", [("user", case.questions[0].text)], context)
