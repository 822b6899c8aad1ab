"""Leagues of entries with the same scenes and questions, and ranks; entries that tests cannot separate share one."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tolman.benchmarks.theory_of_space.leaderboard.verify import VerifiedEntry
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS
from tolman.core.seeds import digest
from tolman.report.statistics import ALPHA, Comparison, compare


@dataclass(frozen=True)
class RankedEntry:
    """An entry with its rank, from 1; None where it has no answers to be ranked by."""

    rank: int | None
    verified: VerifiedEntry
    behind: Comparison | None
    """Against the best of the rank that it was held against: its own, or where it begins one, the rank above."""
    p: float
    """Of that comparison, corrected; NaN where there was none."""


def rank_entries(entries: Sequence[VerifiedEntry]) -> list[RankedEntry]:
    """Entries from the best strict answers to the worst.

    Each is held against the best entry of the rank above it, by a permutation test over scenes, and shares that rank
    unless it is worse with p ≤ 0.05, corrected for the number of such tests (Bonferroni). Being tied is not handed
    on: two entries share a rank when neither can be told from the best of it.
    """
    order = sorted(entries, key=lambda entry: -mean if not math.isnan(mean := _mean(entry)) else math.inf)
    known = [entry for entry in order if not math.isnan(_mean(entry))]
    standings: list[RankedEntry] = []
    leader = 0
    for place, entry in enumerate(known):
        if not place:
            standings.append(RankedEntry(1, entry, None, math.nan))
            continue
        found = compare(_answers(entry), _answers(known[leader]))
        p = min(1.0, found.p * (len(known) - 1))
        leader = place if p <= ALPHA else leader
        standings.append(RankedEntry(leader + 1, entry, found, p))
    return standings + [RankedEntry(None, entry, None, math.nan) for entry in order[len(known) :]]


def _mean(entry: VerifiedEntry) -> float:
    return entry.measured["strict"].interval(ANSWERS).mean


def _answers(entry: VerifiedEntry) -> dict[str, tuple[float, ...]]:
    return dict(entry.measured["strict"].values.get(ANSWERS, {}))


_SPANS = 4
"""Ranges of seeds that are spelled out."""


@dataclass(frozen=True)
class League:
    """Entries from the first to the last."""

    title: str
    standings: tuple[RankedEntry, ...]
    from_seeds: bool
    """Whether anyone can make the scenes again."""


def leagues(entries: Iterable[VerifiedEntry]) -> tuple[League, ...]:
    """All leagues: those that anyone can check first, then by world and mode, those with most entries first."""
    groups: dict[str, list[VerifiedEntry]] = {}
    for entry in entries:
        groups.setdefault(_key(entry), []).append(entry)
    found = [League(_title(group[0]), tuple(rank_entries(group)), group[0].from_seeds) for group in groups.values()]
    return tuple(sorted(found, key=lambda league: (not league.from_seeds, *_order(league), league.title)))


def _order(league: League) -> tuple[str, str, int]:
    options = league.standings[0].verified.options
    return options.world, options.mode, -len(league.standings)


def _key(entry: VerifiedEntry) -> str:
    options = entry.options
    asked = [options.world, options.mode, options.questions, list(options.kinds), options.passive_explorer]
    budgets = [options.budget, options.revise_budget if options.revises else 0]
    return digest([entry.entry.split.kind, asked, budgets, sorted(entry.cases.items())])


def _title(entry: VerifiedEntry) -> str:
    options = entry.options
    asked = f", {options.questions} questions a kind" if options.questions != 3 else ""
    kinds = f", only {' and '.join(options.kinds)}".replace("_", " ") if options.kinds else ""
    budget = f", {options.budget} turns" if options.mode == "active" and options.budget != Options().budget else ""
    return f"{options.world.capitalize()} world, {options.mode}: {_scenes(entry)}, {entry.size}{asked}{kinds}{budget}"


def _scenes(entry: VerifiedEntry) -> str:
    count = f"{len(entry.cases)} scene{'s' * (len(entry.cases) != 1)}"
    match entry.entry.split.kind:
        case "seeds":
            return f"{count} from seeds {seed_ranges(entry.seeds)}"
        case "sealed":
            return f"{count} of the sealed split {entry.entry.split.commitment[:16]}…"
        case "files":
            return f"{count} from files"


def seed_ranges(seeds: Sequence[int]) -> str:
    """Seeds as ranges of neighbours; the first few where there are many."""
    spans: list[list[int]] = []
    for seed in sorted(seeds):
        if spans and seed == spans[-1][1] + 1:
            spans[-1][1] = seed
        else:
            spans.append([seed, seed])
    told = [f"{first}–{last}" if last > first else str(first) for first, last in spans]
    return ", ".join(told[:_SPANS] + ["…"] * (len(told) > _SPANS))
