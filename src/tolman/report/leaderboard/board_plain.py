"""The board as plain values, for other programs."""

import math

from tolman.report.leaderboard.board import Aside, Board
from tolman.report.leaderboard.board_rows import BOARD_COLUMNS
from tolman.report.leaderboard.leagues import League
from tolman.report.leaderboard.ranking import Standing
from tolman.report.theory_of_space.figures import RULES

FORMAT = "tolman.board/1"
Plain = dict[str, object]
_SHOWN = tuple(dict.fromkeys(column.name for column in BOARD_COLUMNS))


def board_as_dict(board: Board) -> Plain:
    """Leagues with their entries in order, and what could not be ranked. Scores are shares from 0 to 1."""
    return {
        "format": FORMAT,
        "leagues": [_league(league) for league in board.leagues],
        "sealed": [_aside(aside) for aside in board.sealed],
        "refused": [_aside(aside) for aside in board.refused],
    }


def _league(league: League) -> Plain:
    return {
        "title": league.title,
        "from_seeds": league.from_seeds,
        "entries": [_standing(standing) for standing in league.standings],
    }


def _standing(standing: Standing) -> Plain:
    verified = standing.verified
    told = verified.entry.model_dump(mode="json", exclude={"scenes", "summary", "format"})
    behind = standing.behind
    return {
        "rank": standing.rank,
        **told,
        "scenes": len(verified.cases),
        "behind": None if behind is None else {"difference": behind.difference.mean, "p": _known(standing.p)},
        "scores": {rules: {name: _score(standing, rules, name) for name in _SHOWN} for rules in RULES},
    }


def _score(standing: Standing, rules: str, name: str) -> Plain:
    found = standing.verified.measured["strict" if rules == "strict" else "published"].interval(name)
    return {"mean": _known(found.mean), "low": _known(found.low), "high": _known(found.high)}


def _aside(aside: Aside) -> Plain:
    return {"file": aside.file, "reason": aside.reason}


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
