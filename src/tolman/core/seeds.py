"""Named random streams and content digests: the same seed gives the same bytes on any machine."""

import hashlib
import json
import secrets
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from tolman.core.errors import SettingsError

T = TypeVar("T")

SECRET_SEEDS = 2**64
"""Seeds from here on are 128-bit secrets of sealed scenes; all their random draws come from named streams.

For smaller seeds some draws reproduce the published programs, whose generators have only 2**32 states.
"""

FIRST_TRAINING_SEED = 100_000
"""Smaller seeds are for evaluation: environments and demonstrations for training refuse them unless told otherwise."""


def rng(seed: int, *names: str | int) -> np.random.Generator:
    """An independent random stream for one purpose, e.g. `rng(7, "objects")`.

    Streams with different names are independent, so a new kind of draw never changes an old one.
    """
    key = json.dumps([int(seed), *names], separators=(",", ":")).encode()
    return np.random.default_rng(int.from_bytes(hashlib.sha256(key).digest()[:16], "big"))


def one_of(stream: np.random.Generator, options: Sequence[T]) -> T:
    """A random one of several options."""
    return options[int(stream.integers(len(options)))]


def secret_seed() -> int:
    """A random seed of 128 bits, which can't be found by trying."""
    return SECRET_SEEDS + secrets.randbelow(2**128 - SECRET_SEEDS)


def is_secret(seed: int) -> bool:
    """Whether a seed is a secret of a sealed scene."""
    return seed >= SECRET_SEEDS


def check_seed(seed: int) -> None:
    """Refuse a negative seed."""
    if seed < 0:
        raise SettingsError(f"a seed is 0 or more, not {seed}")


def canonical_json(value: object) -> str:
    """Canonical JSON of a value: sorted keys, no white space, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest(value: object) -> str:
    """SHA-256 of a value's canonical JSON, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()
