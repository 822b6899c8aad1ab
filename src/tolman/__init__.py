"""Tolman measures spatial cognition in foundation models.

Importing it makes its environment known to Gymnasium: `gymnasium.make("tolman/TheoryOfSpace-v0")`.
"""

import gymnasium

__version__ = "0.1.0"

gymnasium.register(  # pyright: ignore[reportUnknownMemberType]
    id="tolman/TheoryOfSpace-v0",
    entry_point="tolman.explore.gym:TheoryOfSpaceEnv",
    disable_env_checker=True,  # its pleas about text spaces; the test suite runs the full check
)
