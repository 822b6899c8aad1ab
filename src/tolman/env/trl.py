"""An environment for TRL: `GRPOTrainer(environment_factory=TheoryOfSpace, train_dataset=..., ...)`.

TRL is not imported. The trainer takes every public method but `reset` and `get_reward` as a tool of the model, so
`reply` is the only one.
"""

import io
from collections.abc import Iterable
from typing import Any

from PIL import Image

from tolman.core.errors import SettingsError
from tolman.env.exploration import IMAGE, Exploration
from tolman.env.options import EnvironmentOptions

HOW_TO_REPLY = "Send each of your replies by calling the tool `reply`, with the whole reply as its text."
"""Follows the first message: the words of the evaluation do not know of tools."""
OVER = "The episode is over. Do not call the tool again."
Content = str | list[dict[str, Any]]


class TheoryOfSpace:
    """One world per rollout. The return of an episode is the reward; rows of the data set hold the seed."""

    def __init__(self, **options: Any) -> None:
        """`options` are those of `EnvironmentOptions`; `functools.partial` makes a factory with other ones."""
        self._options = EnvironmentOptions.of(options)
        self._exploration: Exploration | None = None

    @property
    def exploration(self) -> Exploration:
        """The exploration so far."""
        if self._exploration is None:
            raise SettingsError("call reset before anything else")
        return self._exploration

    def reset(self, seed: int, **row: Any) -> Content:
        """Start in world `seed`. Options in the row override those of the class; other columns are ignored."""
        own = {name: row[name] for name in EnvironmentOptions.__dataclass_fields__ if row.get(name) is not None}
        options = self._options.updated(own)
        options.check_seed(seed)
        options.prepare_pictures()
        self._exploration = Exploration(seed, options)
        return _content(self._exploration, f"{self._exploration.text}\n\n{HOW_TO_REPLY}")

    def reply(self, text: str) -> Content:
        """
        Send one reply, and get the next message.

        Args:
            text: The whole reply, which ends with a list of actions, or with the answer that was asked for.

        Returns:
            The next message.
        """
        if self.exploration.over:
            return OVER
        outcome = self.exploration.reply(text)
        message = f"{outcome.message}\n\n{OVER}" if outcome.done else outcome.message
        return _content(self.exploration, message)

    def get_reward(self) -> float:
        """The sum of all rewards so far."""
        return float(sum(self.exploration.rewards))


def training_rows(seeds: Iterable[int], **options: Any) -> list[dict[str, Any]]:
    """Rows for `datasets.Dataset.from_list`: the system page, a user message for `reset` to fill, and the seed."""
    rows: list[dict[str, Any]] = []
    for seed in seeds:
        chosen = EnvironmentOptions.of(options)
        chosen.check_seed(seed)
        system = Exploration(seed, chosen).system if not rows else str(rows[0]["prompt"][0]["content"])
        prompt = [{"role": "system", "content": system}, {"role": "user", "content": ""}]
        rows.append({"prompt": prompt, "seed": seed, **options})
    return rows


def _content(exploration: Exploration, text: str) -> Content:
    """A message as text, or with its pictures as blocks of text and images."""
    keys = list(exploration.pictures)
    if not keys:
        return text
    blocks: list[dict[str, Any]] = []
    for number, part in enumerate(text.split(IMAGE)):
        if number:
            with Image.open(io.BytesIO(exploration.png(keys[number - 1]))) as picture:
                blocks.append({"type": "image", "image": picture.convert("RGB")})
        if part.strip():
            blocks.append({"type": "text", "text": part.strip("\n")})
    return blocks
