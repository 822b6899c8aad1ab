"""Tolman measures spatial cognition in foundation models.

Importing it makes its environments known to Gymnasium: `gymnasium.make("tolman/TheoryOfSpace-v0")`, and
`tolman/TheoryOfSpaceVision-v0` with pictures.
"""

import gymnasium

__version__ = "0.1.0"

for _name, _class in {"TheoryOfSpace": "TheoryOfSpaceEnv", "TheoryOfSpaceVision": "TheoryOfSpaceVisionEnv"}.items():
    gymnasium.register(  # pyright: ignore[reportUnknownMemberType]
        id=f"tolman/{_name}-v0",
        entry_point=f"tolman.env.gym:{_class}",
        disable_env_checker=True,  # its pleas about text spaces; the test suite runs the full check
    )
