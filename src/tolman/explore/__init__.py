"""Exploration of worlds: the action grammar, episodes, scripted explorers, the Gymnasium environment."""

from tolman.core.rules import PUBLISHED, STRICT
from tolman.explore.actions import Actions, Goto, Observe, Query, Rotate, Term
from tolman.explore.episode import (
    AgentHistory,
    Brief,
    Episode,
    EpisodeSettings,
    TextHistory,
    Turn,
    begin_revision,
    step,
)
from tolman.explore.episode_files import episode_from_line, episode_to_line
from tolman.explore.grammar import FormatFailure, FormatFailureKind, read_actions
from tolman.explore.messages import (
    begin_text_revision,
    describe_brief,
    describe_latest,
    describe_turn,
    parse_brief,
    parse_change,
    parse_history,
    parse_turn,
)

__all__ = [
    "PUBLISHED",
    "STRICT",
    "Actions",
    "AgentHistory",
    "Brief",
    "Episode",
    "EpisodeSettings",
    "FormatFailure",
    "FormatFailureKind",
    "Goto",
    "Observe",
    "Query",
    "Rotate",
    "Term",
    "TextHistory",
    "Turn",
    "begin_revision",
    "begin_text_revision",
    "describe_brief",
    "describe_latest",
    "describe_turn",
    "episode_from_line",
    "episode_to_line",
    "parse_brief",
    "parse_change",
    "parse_history",
    "parse_turn",
    "read_actions",
    "step",
]
