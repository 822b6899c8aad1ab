"""Replies of agents: what is read as a turn under each rule set, what is refused, and that nothing ever raises."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.strategies import names
from tolman.core.rules import PUBLISHED, STRICT, Rules
from tolman.explore.actions import Actions, Final, Goto, Move, Observe, Phase, Query, Rotate, Term
from tolman.explore.grammar import (
    FormatFailure,
    FormatFailureKind,
    final_answer,
    plain_name,
    read_actions,
    read_changes,
)
from tolman.world import START, Change, WorldSettings, generate

BOTH = pytest.mark.parametrize("rules", [PUBLISHED, STRICT], ids=lambda rules: rules.name)
ANY_RULES = st.sampled_from([PUBLISHED, STRICT])
ANY_PHASE: st.SearchStrategy[Phase] = st.sampled_from(["explore", "revise"])

LOOK = Actions((), Observe())
TURN_AND_LOOK = Actions((Rotate(90),), Observe())
SOFA = Actions((Goto("sofa"),), Observe())


def turn(*moves: Move, final: Final) -> Actions:
    return Actions(moves, final)


def refusal_kind(reply: str, rules: Rules, phase: Phase = "explore") -> FormatFailureKind | None:
    read = read_actions(reply, rules, phase)
    return read.kind if isinstance(read, FormatFailure) else None


# ---- whatever an agent writes ----

PIECES = [
    *("Actions: [", "Actions:", "FINAL ANSWER:", "THINK:", "<answer>", "</answer>", "```", "**", "<|begin_of_box|>"),
    *("Goto", "JumpTo", "go to", "Rotate", "turn", "Observe", "Query", "Term", "terminate", "changes=", "initial_pos"),
    *("(", ")", "[", "]", "{", "}", ",", ";", "|", "->", " then ", ":", "=", '"', "'", "“", ".", "\n", "\r", "\t", " "),
    *("90", "-90", "+90", "9-0", "90°", "−90", "٩٠", "1" * 30, "sofa", "red_door", "the lamp", "position", "moved"),
]


@given(st.text() | st.lists(st.sampled_from(PIECES), max_size=25).map("".join), ANY_RULES, ANY_PHASE)
@example("", STRICT, "explore")
@example("\0", PUBLISHED, "revise")
@example("Actions: [Rotate(9-0), Observe()]", PUBLISHED, "explore")
def test_any_text_is_a_turn_or_a_refusal(reply: str, rules: Rules, phase: Phase):
    read = read_actions(reply, rules, phase)
    assert isinstance(read, Actions) or (read.message and read.kind in FormatFailureKind)


@given(st.binary(), ANY_RULES, ANY_PHASE)
def test_any_bytes_are_a_turn_or_a_refusal(reply: bytes, rules: Rules, phase: Phase):
    assert isinstance(read_actions(reply.decode(errors="replace"), rules, phase), Actions | FormatFailure)


@pytest.mark.parametrize("reply", ["[obſerve()]", "[TERMİNATE()]", "[termınate()]"])
def test_letters_that_fold_to_ascii_do_not_raise(reply: str):
    assert isinstance(read_actions(reply, STRICT), Actions | FormatFailure)


LONG = {
    "opening brackets": "[" * 100_000,
    "closing brackets": "]" * 100_000,
    "pairs of brackets": "[]" * 50_000,
    "nested brackets": "[" * 50_000 + "]" * 50_000,
    "opening parentheses": "[" + "(" * 100_000,
    "one word": "a" * 100_000,
    "one word in brackets": "[" + "a" * 100_000 + "]",
    "underscores": "[Goto(" + "_" * 100_000 + ")]",
    "digits": "[Rotate(" + "9" * 100_000 + ")]",
    "spaces": " " * 100_000,
    "line breaks": "\n" * 100_000,
    "spaces in an argument": "[Rotate(" + " " * 100_000 + "x)]",
    "a named argument without end": "[Rotate(" + "a " * 50_000 + "=",
    "calls never closed": "[" + "Goto(" * 20_000,
    "calls never closed, in a list": "[" + "Goto(" * 20_000 + "]",
    "calls without final": "[" + "Rotate(90)," * 9_000 + "]",
    "bare words": "goto a," * 14_000 + "(",
    "bare words without commas": "go to " * 16_000,
    "bare observes": "observe " * 12_000,
    "bare observes then": "observe then " * 8_000 + "!",
    "arrows": "Goto(a) -> " * 9_000 + "x",
    "many lists": "[Observe]" * 11_000,
    "many lists of nothing": "[goto" * 20_000,
    "answer labels": "FINAL ANSWER" * 8_000,
    "answer labels with stars": ("FINAL ANSWER" + "*" * 88) * 1_000,
    "an answer label that never ends": "FINAL ANSWER" + " " * 100_000,
    "answer labels with colons": "FINAL ANSWER:" * 7_500,
    "answer tags": "<answer>" * 12_000,
    "answer tags closed": "<answer></answer>" * 6_000,
    "answer tags closed first": "</answer>" * 6_000 + "<answer>" * 6_000,
    "a report": '[Term(changes="' + "a: position," * 8_000 + '")]',
    "a report never closed": '[Term(changes="' + "a: position," * 8_000,
    "a report of spaces": "[Term(changes" + " " * 100_000 + ")]",
    "quotes": "[Goto(" + "\"'" * 50_000 + ")]",
    "articles": "[Goto(" + "the " * 25_000 + ")]",
    "mixed": "[Goto(sofa), Rotate 90 then (observe] " * 2_600,
}


@BOTH
@pytest.mark.parametrize("phase", ["explore", "revise"])
@pytest.mark.parametrize("kind", LONG)
def test_long_replies_are_read_in_one_go(kind: str, rules: Rules, phase: Phase):
    """Each is about 100,000 characters; reading them in quadratic time would take minutes."""
    read = read_actions(LONG[kind], rules, phase)
    assert isinstance(read, Actions) or len(read.message) < 500


# ---- what is printed reads back ----

moves: st.SearchStrategy[Move] = st.builds(Goto, names) | st.builds(Rotate, st.integers(-999_999_999, 999_999_999))
changes = st.lists(st.builds(Change, names, st.sampled_from(["position", "orientation"])), max_size=4).map(tuple)
finals = st.just(Observe()) | st.builds(Query, names | st.just(START))
turns: st.SearchStrategy[Actions] = st.builds(Actions, st.lists(moves, max_size=5).map(tuple), finals)


@given(turns | st.just(Actions((), Term())), ANY_RULES)
def test_what_is_printed_reads_back(actions: Actions, rules: Rules):
    assert read_actions(str(actions), rules) == actions
    assert read_actions(f"THINK: so be it.\nFINAL ANSWER:\n{actions}", rules) == actions


@given(turns | st.builds(Actions, st.just(()), st.builds(Term, changes)), ANY_RULES)
def test_what_is_printed_in_the_revision_phase_reads_back(actions: Actions, rules: Rules):
    assert read_actions(str(actions), rules, "revise") == actions


@BOTH
def test_every_name_of_a_large_world_reads_back(rules: Rules):
    for name in generate(0, WorldSettings(rooms=32)).names:
        assert read_actions(f"Actions: [Goto({name}), Query({name})]", rules) == turn(Goto(name), final=Query(name))


# ---- published: what the released reader takes ----

PUBLISHED_VALID = {
    "Actions: [Observe()]": LOOK,
    "[Observe()]": LOOK,
    "Actions: [ Observe() ]": LOOK,
    "Actions: [Rotate(90), Observe()]": TURN_AND_LOOK,
    "Actions: [JumpTo(sofa), Observe()]": SOFA,
    "Actions: [Goto(sofa), Observe()]": SOFA,
    "Actions: [JumpTo(red_door), Rotate(-90), Observe()]": turn(Goto("red door"), Rotate(-90), final=Observe()),
    "Actions: [JumpTo(red door), Query(sofa)]": turn(Goto("red door"), final=Query("sofa")),
    "Actions: [Query(initial_pos)]": turn(final=Query(START)),
    "Actions: [Term()]": turn(final=Term()),
    "Actions: [Rotate(90) | Observe()]": TURN_AND_LOOK,
    "Actions: [Rotate(90); Observe()]": TURN_AND_LOOK,
    "Actions: [Rotate(90) and then, after a while, Observe()]": TURN_AND_LOOK,
    "Actions: [Rotate(45), Observe()]": turn(Rotate(45), final=Observe()),
    "Actions: [Rotate(0), Observe()]": turn(Rotate(0), final=Observe()),
    "no list here\nActions: [Observe()]\nnor here": LOOK,
    "THINK: I look.\nFINAL ANSWER: Actions: [Observe()]": LOOK,
    "think: I look.\nFinal Answer:\nActions: [Observe()]": LOOK,
    "THINK: [Term()]\nFINAL ANSWER: Actions: [Observe()]": LOOK,
    "<answer>Actions: [Observe()]</answer> [Term()]": LOOK,
    "FINAL ANSWER: <|begin_of_box|>Actions: [Observe()]<|end_of_box|>": LOOK,
}


@pytest.mark.parametrize("reply", PUBLISHED_VALID)
def test_published_reads(reply: str):
    assert read_actions(reply, PUBLISHED) == PUBLISHED_VALID[reply]


PUBLISHED_INVALID = {
    "": FormatFailureKind.NO_ACTIONS,
    "I would rather not.": FormatFailureKind.NO_ACTIONS,
    "Observe()": FormatFailureKind.NO_ACTIONS,
    "Actions: []": FormatFailureKind.NO_ACTIONS,
    "Actions: [Observe]": FormatFailureKind.NO_ACTIONS,
    "Actions: [\nRotate(90), Observe()\n]": FormatFailureKind.NO_ACTIONS,
    "Actions: [Rotate(90),\nObserve()]": FormatFailureKind.NO_ACTIONS,
    "Actions: [Rotate(+90), Observe()]": FormatFailureKind.BAD_ACTION,
    "Actions: [Rotate(90°), Observe()]": FormatFailureKind.BAD_ACTION,
    "Actions: [Rotate(9-0), Observe()]": FormatFailureKind.BAD_ACTION,
    "Actions: [Rotate(), Observe()]": FormatFailureKind.BAD_ACTION,
    "Actions: [rotate(90), Observe()]": FormatFailureKind.BAD_ACTION,
    "Actions: [jumpto(sofa), Observe()]": FormatFailureKind.BAD_ACTION,
    "Actions: [Observe( )]": FormatFailureKind.BAD_ACTION,
    "Actions: [Observe(sofa)]": FormatFailureKind.BAD_ACTION,
    "Actions: [Query()]": FormatFailureKind.BAD_ACTION,
    'Actions: [JumpTo("sofa"), Observe()]': FormatFailureKind.BAD_ACTION,
    "Actions: [Walk(sofa), Observe()]": FormatFailureKind.BAD_ACTION,
    'Actions: [Term(changes="sofa: position")]': FormatFailureKind.BAD_ACTION,
    "Actions: [Rotate(90)]": FormatFailureKind.NO_FINAL,
    "Actions: [JumpTo(sofa)]": FormatFailureKind.NO_FINAL,
    "Actions: [Observe(), Rotate(90)]": FormatFailureKind.NO_FINAL,
    "Actions: [Observe(), Observe()]": FormatFailureKind.MANY_FINALS,
    "Actions: [Query(sofa), Observe()]": FormatFailureKind.MANY_FINALS,
    "Actions: [Observe()] or rather [Term()]": FormatFailureKind.MANY_FINALS,
    "Actions: [Rotate(90), Term()]": FormatFailureKind.TERM_NOT_ALONE,
}


@pytest.mark.parametrize("reply", PUBLISHED_INVALID)
def test_published_refuses(reply: str):
    assert refusal_kind(reply, PUBLISHED) is PUBLISHED_INVALID[reply]


def test_published_takes_the_first_answer_and_strict_the_last():
    reply = "THINK: I could write FINAL ANSWER: [Term()] now, but will not.\nFINAL ANSWER: Observe()"
    assert final_answer(reply, STRICT) == " Observe()"
    assert read_actions(reply, STRICT) == LOOK
    assert read_actions(reply, PUBLISHED) == turn(final=Term())


# ---- strict: whatever is plain to a person ----

STRICT_VALID = {
    **PUBLISHED_VALID,
    "Actions: [\n  Rotate(90),\n  Observe()\n]": TURN_AND_LOOK,
    "actions: [rotate(90), OBSERVE()]": TURN_AND_LOOK,
    "Actions: [Rotate(+90), Observe()]": TURN_AND_LOOK,
    "Actions: [Rotate(90°), Observe()]": TURN_AND_LOOK,
    "Actions: [Rotate(90 degrees), Observe()]": TURN_AND_LOOK,
    "Actions: [Rotate(90.0), Observe()]": TURN_AND_LOOK,
    "Actions: [Rotate(degrees=90), Observe()]": TURN_AND_LOOK,
    "Actions: [Rotate( 90 ), Observe( )]": TURN_AND_LOOK,
    "Actions: [Rotate(−90), Observe()]": turn(Rotate(-90), final=Observe()),
    "Rotate(90), Observe()": TURN_AND_LOOK,
    "Actions: Rotate(90), Observe()": TURN_AND_LOOK,
    "Rotate(90)\nObserve()": TURN_AND_LOOK,
    "1. Rotate(90)\n2. Observe()": TURN_AND_LOOK,
    "Actions: [Rotate(90), Observe()": TURN_AND_LOOK,
    "Actions: [Rotate(90), Observe(": TURN_AND_LOOK,
    "Actions: Rotate(90), Observe()]": TURN_AND_LOOK,
    "Actions: [Rotate(90), Observe]": TURN_AND_LOOK,
    "Actions: [Rotate(90) -> Observe()]": TURN_AND_LOOK,
    "**Actions:** [**Rotate(90)**, `Observe()`]": TURN_AND_LOOK,
    "```\nActions: [Rotate(90), Observe()]\n```": TURN_AND_LOOK,
    "### Actions\n- `Rotate(90)`\n- `Observe()`": TURN_AND_LOOK,
    '{"actions": ["Rotate(90)", "Observe()"]}': TURN_AND_LOOK,
    "THINK:\nI turn [east].\n**FINAL ANSWER**:\nActions: [Rotate(90), Observe()]": TURN_AND_LOOK,
    "THINK: [Term()] is too early.\nFINAL ANSWER:\nRotate(90), Observe()": TURN_AND_LOOK,
    "<ANSWER>Rotate(90), Observe()</ANSWER>": TURN_AND_LOOK,
    "Observe": LOOK,
    "Observe.": LOOK,
    "I see nothing new, so I choose Actions: [Observe()].": LOOK,
    "Goto sofa, Observe": SOFA,
    "Go to the sofa, observe": SOFA,
    "Actions: [JumpTo(Sofa), Observe()]": SOFA,
    'Actions: [Goto("sofa"), Observe()]': SOFA,
    "Actions: [goto(the sofa), observe()]": SOFA,
    "Actions: [Go_to(sofa), Observe()]": SOFA,
    "Actions: [Goto(name=sofa), Observe()]": SOFA,
    "Actions: [Goto(RED_DOOR), Observe()]": turn(Goto("red door"), final=Observe()),
    "Actions: [Query(Initial_Pos)]": turn(final=Query(START)),
    "Query lamp": turn(final=Query("lamp")),
    "term": turn(final=Term()),
    "Actions: [Terminate()]": turn(final=Term()),
}


@pytest.mark.parametrize("reply", STRICT_VALID)
def test_strict_reads(reply: str):
    assert read_actions(reply, STRICT) == STRICT_VALID[reply]


STRICT_INVALID = {
    "": FormatFailureKind.NO_ACTIONS,
    "I would rather not.": FormatFailureKind.NO_ACTIONS,
    "I wonder what I would observe.": FormatFailureKind.NO_ACTIONS,
    "In the long term, I could query it.": FormatFailureKind.NO_ACTIONS,
    "Actions: []": FormatFailureKind.NO_ACTIONS,
    "Actions: [Rotate(left), Observe()]": FormatFailureKind.BAD_ACTION,
    "Actions: [Rotate(90.5), Observe()]": FormatFailureKind.BAD_ACTION,
    "Actions: [Rotate(9-0), Observe()]": FormatFailureKind.BAD_ACTION,
    "Actions: [Rotate(), Observe()]": FormatFailureKind.BAD_ACTION,
    "Actions: [Goto(), Observe()]": FormatFailureKind.BAD_ACTION,
    'Actions: [Query("")]': FormatFailureKind.BAD_ACTION,
    "Actions: [Rotate(90)]": FormatFailureKind.NO_FINAL,
    "Goto sofa": FormatFailureKind.NO_FINAL,
    "Actions: [Observe(), Goto(sofa)]": FormatFailureKind.NO_FINAL,
    "Actions: [Observe(), Observe()]": FormatFailureKind.MANY_FINALS,
    "Actions: [Query(sofa), Observe()]": FormatFailureKind.MANY_FINALS,
    "Actions: [Term(), Observe()]": FormatFailureKind.MANY_FINALS,
    "Actions: [Goto(sofa), Term()]": FormatFailureKind.TERM_NOT_ALONE,
}


@pytest.mark.parametrize("reply", STRICT_INVALID)
def test_strict_refuses(reply: str):
    assert refusal_kind(reply, STRICT) is STRICT_INVALID[reply]


@pytest.mark.parametrize("reply", ["[Goto(sofa, Observe()]", "[Goto(sofa (big)), Observe()]", "[Rotate(90, Observe()]"])
def test_strict_does_not_carry_out_half_of_a_reply(reply: str):
    assert read_actions(reply, STRICT) != LOOK


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("Sofa", "sofa"),
        ("  red_door ", "red door"),
        ("the Red  Door.", "red door"),
        ("“sofa”", "sofa"),
        ("theatre", "theatre"),
        ("initial_pos", START),
        ("Initial Pos", START),
        ("", ""),
    ],
)
def test_names_are_read_as_the_world_spells_them(spelling: str, name: str):
    assert plain_name(spelling) == name


# ---- the report of changes ----

REPORT = (Change("sofa", "position"), Change("red lamp", "orientation"))


@BOTH
@pytest.mark.parametrize(
    "argument",
    [
        'changes="sofa: position, red lamp: orientation"',
        'changes="sofa: position, red_lamp: orientation"',
        "changes='sofa: moved, red lamp: rotated'",
        'changes = "sofa:location,red lamp:facing"',
    ],
)
def test_a_report_of_changes_ends_the_revision_phase(argument: str, rules: Rules):
    assert read_actions(f"Actions: [Term({argument})]", rules, "revise") == turn(final=Term(REPORT))


@pytest.mark.parametrize(
    "argument",
    [
        "changes=sofa: position, red lamp: orientation",
        "changes: sofa: position, red lamp: orientation",
        '"sofa: position; red lamp: orientation"',
        "Changes=“sofa: Position,\nred lamp: Rotation”",
    ],
)
def test_strict_reads_a_report_without_its_quotes(argument: str):
    assert read_actions(f"Term({argument})", STRICT, "revise") == turn(final=Term(REPORT))


@BOTH
def test_the_revision_phase_does_not_end_without_a_report(rules: Rules):
    assert refusal_kind("Actions: [Term()]", rules, "revise") is FormatFailureKind.NO_REPORT
    assert read_actions('Actions: [Term(changes="")]', rules, "revise") == turn(final=Term(()))


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("position", "position"),
        ("new location", "position"),
        ("moved", "position"),
        ("pos", "position"),
        ("orientation", "orientation"),
        ("rotation", "orientation"),
        ("rotated", "orientation"),
        ("ori", "orientation"),
        ("facing", "orientation"),
        ("FACING", "orientation"),
    ],
)
def test_words_for_a_change(word: str, kind: str):
    assert [(change.name, change.kind) for change in read_changes(f"sofa: {word}")] == [("sofa", kind)]


def test_entries_that_say_nothing_are_left_out():
    assert read_changes("sofa, lamp: gone, , vase: position") == (Change("vase", "position"),)
