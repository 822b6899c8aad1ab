"""Training environments: one exploration in the words of the evaluation, with adapters for Gymnasium, TRL, OpenEnv and
VAGEN, and demonstrations by scripted explorers.
"""

from tolman.env.exploration import Exploration, ReplyOutcome
from tolman.env.options import EnvironmentOptions, RewardName

__all__ = ["EnvironmentOptions", "Exploration", "ReplyOutcome", "RewardName"]
