"""Whatever is said to a scripted agent, it replies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.models.scripted.conversations import ACT, explored, revising
from tolman.ask import sample_questions
from tolman.belief.cognitive_map import global_map_prompt, local_map_prompt, revision_map_prompt, unexplored_prompt
from tolman.core.errors import UnknownNameError
from tolman.models.call_context import SceneCallContext
from tolman.models.scripted.conversation_parsing import RoleText
from tolman.models.scripted.reply import AGENTS, NOT_UNDERSTOOD, reply_to
from tolman.world import generate, perturb

SCENE = generate(2)
TALK = explored("scout", SCENE)
REVISION = list(revising(TALK, perturb(SCENE, 2)))
PROBES = (
    global_map_prompt(),
    local_map_prompt(),
    revision_map_prompt(),
    unexplored_prompt("##\n*A\n+B"),
    "",
    "Replies left: 1.",
)
REQUESTS = (*PROBES, *(question.text for question in sample_questions(SCENE, 2, per_kind=1)))
REAL = tuple(dict.fromkeys((*TALK.said, *REVISION[-1].said)))
HANDED = SceneCallContext("x", "0", SCENE)


def spoilt(text: str) -> st.SearchStrategy[str]:
    """A text with a part cut out, or with another put in."""
    places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)), st.text(max_size=8))
    return places.map(lambda cut: text[: cut[0]] + cut[2] + text[cut[1] :])


roles = st.sampled_from(["system", "user", "assistant", "tool"])
messages = st.one_of(
    st.tuples(roles, st.text(max_size=80)),
    st.sampled_from(REAL),
    st.sampled_from(REAL).flatmap(lambda message: st.tuples(st.just(message[0]), spoilt(message[1]))),
    st.tuples(st.just("user"), st.sampled_from(REQUESTS).flatmap(spoilt)),
)


@given(st.lists(messages, max_size=12), st.sampled_from(AGENTS), st.booleans())
def test_a_conversation_of_any_sort_gets_a_reply(said: list[RoleText], agent: str, told: bool):
    reply = reply_to(agent, said, HANDED if told else None)
    assert "FINAL ANSWER:\n" in reply


@given(st.lists(messages, max_size=6), st.sampled_from(REQUESTS), st.integers(1, len(REAL)))
def test_so_does_a_real_one_that_goes_astray(noise: list[RoleText], request: str, upto: int):
    said = [*REAL[:upto], *noise, ("user", request)]
    assert "FINAL ANSWER:\n" in reply_to("strategist", said)


def test_a_map_of_a_place_as_large_as_the_sky_is_not_believed():
    name = TALK.episode.seen[0]
    far = f'{{"{name}": {{"position": [1e9, -1e9]}}}}'
    question = sample_questions(SCENE, 2)[0].text
    assert NOT_UNDERSTOOD not in TALK.ask(f"{far}\n\n{question}")


def test_an_agent_that_is_at_a_loss_says_so():
    assert NOT_UNDERSTOOD in reply_to("scout", [("user", "What is the capital of France?")])
    assert NOT_UNDERSTOOD in reply_to("oracle", TALK.messages("", ACT))
    assert NOT_UNDERSTOOD in reply_to("scout", [])


def test_there_are_no_other_agents():
    with pytest.raises(UnknownNameError, match="planner"):
        reply_to("local", [])
