"""Agents in worlds: the action grammar, episodes, scripted explorers, the Gymnasium environment."""

from tolman.explore.actions import Actions, Goto, Observe, Query, Rotate, Term
from tolman.explore.episode import Brief, Episode, EpisodeSettings, Turn, begin_revision, step
from tolman.explore.files import episode_from_line, episode_to_line
from tolman.explore.grammar import Refusal, RefusalKind, read_actions
from tolman.explore.hear import begin_heard_revision, hear_brief, hear_change, hear_history, hear_turn
from tolman.explore.heard import Heard, HeardEpisode
from tolman.explore.words import say_brief, say_latest, say_turn
from tolman.rules import PUBLISHED, STRICT

__all__ = [
    "PUBLISHED",
    "STRICT",
    "Actions",
    "Brief",
    "Episode",
    "EpisodeSettings",
    "Goto",
    "Heard",
    "HeardEpisode",
    "Observe",
    "Query",
    "Refusal",
    "RefusalKind",
    "Rotate",
    "Term",
    "Turn",
    "begin_heard_revision",
    "begin_revision",
    "episode_from_line",
    "episode_to_line",
    "hear_brief",
    "hear_change",
    "hear_history",
    "hear_turn",
    "read_actions",
    "say_brief",
    "say_latest",
    "say_turn",
    "step",
]
