"""Names of heads, for whoever reads results and needs no torch."""

from typing import Literal, get_args

HeadName = Literal["linear", "abmilp", "efficient", "cls"]
EVERY_HEAD: tuple[HeadName, ...] = get_args(HeadName)
HEADS: tuple[HeadName, ...] = ("linear", "abmilp", "efficient")
"""Those of the paper's tables; `cls` is a linear head on [CLS] alone."""
