"""Conversations as tokens, in the chat format of SmolLM2: `<|im_start|>ROLE newline TEXT<|im_end|> newline`.

Special tokens are never split or merged, so a conversation in pieces has the tokens of the whole, and training,
roll-outs and `tolman eval` see the same.
"""

from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer

from tolman.benchmarks.theory_of_space.protocol.prompts import Message

BEGIN, END = "<|im_start|>", "<|im_end|>"


class ChatTokens:
    """The tokenizer of a checkpoint."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        end = self._tokenizer.token_to_id(END)
        if end is None or self._tokenizer.token_to_id(BEGIN) is None:
            raise SystemExit(
                f"the tokenizer in {folder} lacks {BEGIN} or {END}: this example trains SmolLM2's chat format"
            )
        self.end: int = end

    def encode(self, text: str) -> list[int]:
        return self._tokenizer.encode(text, add_special_tokens=False).ids

    def text(self, tokens: Sequence[int]) -> str:
        return self._tokenizer.decode(list(tokens), skip_special_tokens=True)

    def until_end(self, tokens: Sequence[int]) -> list[int]:
        """The tokens before the one that ends a message."""
        return list(tokens[: tokens.index(self.end)] if self.end in tokens else tokens)

    def request(self, messages: Sequence[Message], *, first: bool) -> list[int]:
        """Messages up to the place where a reply begins. Unless they are the first, the end of the reply before."""
        text = "" if first else f"{END}\n"
        text += "".join(f"{BEGIN}{message.role}\n{message.text}{END}\n" for message in messages)
        return self.encode(f"{text}{BEGIN}assistant\n")
