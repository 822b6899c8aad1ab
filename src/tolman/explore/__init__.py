"""Exploration of worlds: the action grammar, episodes, scripted explorers, the Gymnasium environment."""

from tolman.core.rules import STRICT
from tolman.explore.episode import Episode, EpisodeSettings, step
from tolman.explore.grammar import read_actions
from tolman.explore.messages import describe_latest

__all__ = ["STRICT", "Episode", "EpisodeSettings", "describe_latest", "read_actions", "step"]
