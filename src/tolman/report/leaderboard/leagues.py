"""Leagues: entries that were asked the same questions about the same scenes, with the same truths and budgets, so that
their scores can be compared."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tolman.benchmarks.theory_of_space.options import Options
from tolman.report.leaderboard.ranking import Standing, ranked
from tolman.report.leaderboard.verify import Verified
from tolman.seeds import digest

_SPANS = 4
"""Ranges of seeds that are spelled out."""


@dataclass(frozen=True)
class League:
    """Entries from the first to the last."""

    title: str
    standings: tuple[Standing, ...]
    from_seeds: bool
    """Whether anyone can make the scenes again."""


def leagues(entries: Iterable[Verified]) -> tuple[League, ...]:
    """All leagues: those that anyone can check first, then by world and mode, those with most entries first."""
    groups: dict[str, list[Verified]] = {}
    for entry in entries:
        groups.setdefault(_key(entry), []).append(entry)
    found = [League(_title(group[0]), tuple(ranked(group)), group[0].from_seeds) for group in groups.values()]
    return tuple(sorted(found, key=lambda league: (not league.from_seeds, *_order(league), league.title)))


def _order(league: League) -> tuple[str, str, int]:
    options = league.standings[0].verified.options
    return options.world, options.mode, -len(league.standings)


def _key(entry: Verified) -> str:
    options = entry.options
    asked = [options.world, options.mode, options.questions, list(options.kinds), options.passive_explorer]
    budgets = [options.budget, options.revise_budget if options.revises else 0]
    return digest([entry.entry.split.kind, asked, budgets, sorted(entry.cases.items())])


def _title(entry: Verified) -> str:
    options = entry.options
    asked = f", {options.questions} questions a kind" if options.questions != 3 else ""
    kinds = f", only {' and '.join(options.kinds)}".replace("_", " ") if options.kinds else ""
    budget = f", {options.budget} turns" if options.mode == "active" and options.budget != Options().budget else ""
    return f"{options.world.capitalize()} world, {options.mode}: {_scenes(entry)}, {entry.size}{asked}{kinds}{budget}"


def _scenes(entry: Verified) -> str:
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
