"""The change report: read as written, forgiven where plain, scored by F1."""

import pytest

from tolman.ask import PAPER_KINDS, chance_level, constant_reply, grade, oracle_reply, wrong_reply
from tolman.ask.kinds.change_report import change_question
from tolman.ask.question import Question, question_from_dict, question_to_dict
from tolman.core.rules import PUBLISHED, STRICT
from tolman.world import generate, perturb


def question(seed: int = 3) -> Question:
    return change_question(perturb(generate(seed), seed))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rules", [PUBLISHED, STRICT], ids=lambda rules: rules.name)
def test_the_oracle_finds_it_all_and_the_wrong_one_nothing(seed: int, rules: object):
    asked, rule_set = question(seed), STRICT if rules is STRICT else PUBLISHED
    reply = f"FINAL ANSWER: Actions: [{oracle_reply(asked)}]"
    assert grade(asked, reply, rule_set).score == 1.0
    assert grade(asked, f"[{wrong_reply(asked)}]", rule_set).score == 0.0
    assert grade(question_from_dict(question_to_dict(asked)), reply, rule_set).score == 1.0


def test_half_of_it_scores_as_f1_says():
    asked = question()
    changes = perturb(generate(3), 3).changes
    half = ", ".join(f"{change.name}: {change.kind}" for change in changes[:2])
    assert grade(asked, f'[Term(changes="{half}")]', PUBLISHED).score == pytest.approx(2 * 1.0 * 0.5 / 1.5)


def test_strict_reads_a_plain_list_and_published_does_not():
    asked = question()
    plain = "; ".join(f"**The {c.name.upper()}**: {c.kind}" for c in perturb(generate(3), 3).changes)
    assert grade(asked, plain.replace("*", ""), STRICT).score == 1.0
    assert grade(asked, plain, PUBLISHED).format_failure


def test_no_report_is_a_format_failure():
    for rules in (PUBLISHED, STRICT):
        assert grade(question(), "I saw nothing unusual.", rules).format_failure


def test_it_is_not_among_the_questions_of_the_exploration():
    assert "change_report" not in PAPER_KINDS
    assert len(PAPER_KINDS) == 9


def test_guessing_is_worth_little():
    asked = question()
    assert 0.05 < chance_level(asked, STRICT) < 0.35
    assert not grade(asked, constant_reply(asked), STRICT).format_failure
