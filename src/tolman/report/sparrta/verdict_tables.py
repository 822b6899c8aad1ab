"""The verdict, in words and as tables: where the paper's findings hold here, and where not."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from tolman.benchmarks.sparrta.probe_tables import ENOUGH
from tolman.benchmarks.sparrta.relations import VIEWPOINTS
from tolman.probing.head_names import HEADS
from tolman.report.intervals import Interval
from tolman.report.sparrta.beyond_random import Beyond
from tolman.report.sparrta.published_rows import published
from tolman.report.sparrta.spread import SETTLES_NOTHING
from tolman.report.sparrta.verdicts import CLAIMS, SIGNS, Claim, Verdict
from tolman.report.sparrta.words import HEAD_TITLES, counted, listed, place
from tolman.report.table import Cell, Entry, Row, Table, heading, points

_ASKED: dict[Claim, str] = {
    "linear < abmilp": "AbMILP less Linear",
    "abmilp < efficient": "Efficient less AbMILP",
    "allo < ego": "Ego less allo",
}
_NOTE = (
    "Percentage points, paired by triple and seed; below, the 95 % interval of the difference. ✓ holds: the interval "
    f"lies above 0. ✗ reversed: below. ○ open: it holds 0, or there is none, or triples are few: {SETTLES_NOTHING}."
)
_COUNTED = (
    "Each encoder is compared with itself{over}, by the interval of the paired difference: above 0 it holds, below it "
    "is reversed, else it is open. A name leads to Findings, with all of them."
)
_MOST = 3
"""Exceptions that a sentence names."""


def verdict_tables(found: Sequence[Verdict]) -> Iterator[Table]:
    """One table for each finding: encoders by environment."""
    for claim, title in CLAIMS.items():
        of_claim = [one for one in found if one.claim == claim]
        if of_claim:
            yield _table(claim, f"{_ASKED[claim]}: is {title}?", of_claim)


def verdict_counts(found: Sequence[Verdict]) -> Table:
    """How many comparisons hold, are open or are reversed, over all environments where there are several; each
    finding leads to its own table."""
    several = any(not one.environment for one in found)
    whole = [one for one in found if not (several and one.environment)]
    entries = tuple(
        Entry(title, (Row(tuple(Cell(str(states.count(state))) for state in SIGNS)),), href=f"#table-{_name(claim)}")
        for claim, title in CLAIMS.items()
        if (states := [one.state for one in whole if one.claim == claim])
    )
    heads = tuple(heading(f"{state} {sign}") for state, sign in SIGNS.items())
    notes = [_COUNTED.format(over=" over all environments" if several else ""), *_too_few(whole)]
    return Table("verdicts", "What holds of the paper's findings", "finding", heads, entries, tuple(notes))


def _too_few(found: Sequence[Verdict]) -> list[str]:
    few = sum(one.triples < ENOUGH for one in found)
    if not few:
        return []
    which = "All" if few == len(found) else f"{few} of {len(found)}"
    return [f"{which} comparisons are open because {SETTLES_NOTHING}."]


def _name(claim: Claim) -> str:
    return f"verdict-{claim.replace(' < ', '-')}"


def _table(claim: Claim, title: str, found: Sequence[Verdict]) -> Table:
    order = [HEAD_TITLES[head] for head in HEADS] if claim == "allo < ego" else list(VIEWPOINTS)
    withins = [within for within in order if any(one.within == within for one in found)]
    places = list(dict.fromkeys(one.environment for one in found))
    keys = [(where, within) for where in places for within in withins]
    heads = tuple(heading(within, place(where) or "all environments") for where, within in keys)
    by_key = {(one.subject, one.environment, one.within): one for one in found}
    entries = tuple(
        Entry(name, (Row(tuple(signed(by_key.get((name, *key))) for key in keys)),))
        for name in dict.fromkeys(one.subject for one in found)
    )
    return Table(_name(claim), title, "encoder", heads, entries, (_NOTE,))


def signed(one: Verdict | Beyond | None) -> Cell:
    """A difference with its interval and the sign of what it settles; empty where there is none."""
    if one is None:
        return Cell()
    shown = points(one.difference)
    return replace(shown, text=f"{shown.text} {SIGNS[one.state]}")


def verdict_sentences(found: Sequence[Verdict]) -> list[str]:
    """What holds, in plain words: each finding over all environments, then in each, and what few triples settle."""
    sentences: list[str] = []
    for claim, title in CLAIMS.items():
        whole = [one for one in found if one.claim == claim and not one.environment]
        single = [one for one in found if one.claim == claim and one.environment]
        if whole:
            sentences.append(f"{title}: over all environments it {_counts(whole)}")
        if single:
            sentences.append(f"{title}{', environment by environment' if whole else ''}: it {_counts(single)}")
    return [*sentences, *_too_few(found)]


def _counts(found: Sequence[Verdict]) -> str:
    held = [one for one in found if one.state == "holds"]
    against = [one for one in found if one.state == "reversed"]
    unsettled = [one for one in found if one.state == "open"]
    leaning = [one for one in unsettled if one.difference.mean < 0]
    if len(held) == len(found):
        return f"holds in all {counted(len(found), 'comparison')}."
    text = f"holds in {len(held)} of {counted(len(found), 'comparison')}."
    if against:
        text += f" It is reversed in {len(against)}: {_named(against)}."
    if unsettled:
        text += f" It is open in {len(unsettled)}"
        text += f" and leans the other way in {len(leaning)} of these: {_named(leaning)}." if leaning else "."
    return text


def _named(found: Sequence[Verdict]) -> str:
    ranked = sorted(found, key=lambda one: one.difference.mean)
    names = [f"{_where(one)} ({_range(one.difference)})" for one in ranked[:_MOST]]
    more = len(ranked) - _MOST
    return listed([*names, f"{more} more"] if more > 0 else names)


def _where(one: Verdict) -> str:
    return ", ".join(filter(None, (one.subject, place(one.environment), one.within)))


def _range(interval: Interval) -> str:
    mean = f"{100 * interval.mean:+z.1f}".replace("-", "−")
    if math.isnan(interval.low):
        return f"{mean}, no interval"
    return f"{mean}, {100 * interval.low:z.1f} to {100 * interval.high:z.1f}".replace("-", "−")


def paper_exceptions() -> str:
    """Where the paper's own numbers, by environment from the camera, are not as it says."""
    rows = published()
    found = [
        f"{model} in {place(environment)} ({HEAD_TITLES[low]} {one:.1f}, {HEAD_TITLES[high]} {other:.1f})"
        for model in rows.models
        for environment in rows.source.environments
        for low, high in pairwise(HEADS)
        if (one := rows.ego_in(model, environment, low)) >= (other := rows.ego_in(model, environment, high))
    ]
    pairs = len(rows.models) * len(rows.source.environments) * 2
    return (
        f"The paper reports Linear < AbMILP < Efficient for every encoder. In its own egocentric numbers by "
        f"environment {len(found)} of {pairs} steps go the other way: {listed(found)}."
    )
