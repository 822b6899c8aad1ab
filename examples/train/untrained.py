"""An untrained model with a tokenizer of its own, small enough to be trained on a CPU.

    python untrained.py --data data/planner --out untrained

A token is a name, a number, a phrase that never changes (`phrases.py`), or a piece of the words between them; so an
exploration takes 1,100 tokens in place of SmolLM2's 4,200. Checkpoints are those of transformers, as all here.
"""

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from conversations import Conversation, Curriculum, conversation
from data import stored
from model import Llama
from phrases import NAMES, phrases
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from tokens import BEGIN, END

from tolman.world.vocabulary import COLOURS, VOCABULARY_V1

TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
REPLY = ("THINK:\nI am at ", "\nFINAL ANSWER:\nActions: [")
"""Phrases of every reply."""
OFTEN = 50
"""How often every name stands in the text from which pieces are learnt, so that it becomes one token."""
FARTHEST = 40
"""Coordinates up to this become one token each."""
MOST_TOKENS = 8192


def tokenizer_for(conversations: Sequence[Conversation], vocabulary: int) -> Tokenizer:
    """A tokenizer with at most so many tokens."""
    whole = [*phrases(conversations), *REPLY]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(NAMES), "isolated"),
            pre_tokenizers.Split(Regex(r"-?\p{N}+|\n"), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary - len(whole),
        special_tokens=[END, BEGIN],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    between = re.compile("|".join(map(re.escape, sorted(whole, key=len, reverse=True))))
    texts = [between.sub("\n", piece.text) for each in conversations for piece in each.trunk]
    names = [f", {kind.name}\n- {kind.name}:({kind.name})" for kind in VOCABULARY_V1]
    names += [f" {colour} door({colour} door)- {colour} door" for colour in COLOURS]
    far = range(-FARTHEST, FARTHEST + 1)
    numbers = [f"({a}, {b}) {a} to {b}" for a in far for b in far]
    tokenizer.train_from_iterator([*texts, *names * OFTEN, *numbers], trainer)
    tokenizer.add_tokens([AddedToken(phrase, normalized=False, special=False) for phrase in whole])
    return tokenizer


@dataclass(frozen=True)
class Size:
    """Sizes of a model."""

    vocabulary: int = 2048
    """Most tokens."""
    hidden: int = 256
    inner: int = 704
    """Of the inner layer of a feed-forward part."""
    layers: int = 8
    heads: int = 4
    key_heads: int = 4
    """Heads of keys and values, which heads of queries share."""

    def config(self, tokenizer: Tokenizer) -> dict[str, object]:
        """The config.json of transformers."""
        return {
            "architectures": ["LlamaForCausalLM"],
            "model_type": "llama",
            "vocab_size": tokenizer.get_vocab_size(),
            "hidden_size": self.hidden,
            "intermediate_size": self.inner,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.heads,
            "num_key_value_heads": self.key_heads,
            "head_dim": self.hidden // self.heads,
            "hidden_act": "silu",
            "max_position_embeddings": MOST_TOKENS,
            "rms_norm_eps": 1e-5,
            "rope_theta": 10000.0,
            "tie_word_embeddings": True,
            "bos_token_id": tokenizer.token_to_id(BEGIN),
            "eos_token_id": tokenizer.token_to_id(END),
            "pad_token_id": tokenizer.token_to_id(END),
        }


def make(data: Path, out: Path, size: Size, worlds: int = 200, reasoning: str = "sightings", seed: int = 0) -> int:
    """Write a checkpoint; returns its number of parameters. Its tokens are learnt from the first worlds."""
    curriculum = Curriculum(reasoning)
    made = [conversation(row, curriculum, reading=n) for n, row in enumerate(stored(data, worlds))]
    tokenizer = tokenizer_for(made, size.vocabulary)
    out.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(out / "tokenizer.json"))
    names = {"eos_token": END, "bos_token": BEGIN, "pad_token": END}
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": MOST_TOKENS, **names}
    (out / "tokenizer_config.json").write_text(json.dumps(settings, indent=2))
    (out / "chat_template.jinja").write_text(TEMPLATE)
    torch.manual_seed(seed)
    model = Llama(size.config(tokenizer))
    for name, parameter in model.named_parameters():
        if parameter.ndim > 1:
            into_residual = name.endswith(("o_proj.weight", "down_proj.weight"))
            torch.nn.init.normal_(parameter, std=0.02 / (2 * size.layers) ** 0.5 if into_residual else 0.02)
    model.save(out, out)
    return sum(parameter.numel() for parameter in model.parameters())


def main() -> None:
    parser = argparse.ArgumentParser(description="Make an untrained model and its tokenizer.")
    parser.add_argument("--data", type=Path, required=True, help="folder that data.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--worlds", type=int, default=200, help="conversations from which tokens are learnt")
    for name, default in vars(Size()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=default)
    parser.add_argument("--reasoning", choices=["belief", "sightings", "ranges", "count"], default="sightings")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    size = Size(**{name: getattr(given, name) for name in vars(Size())})
    print(f"{make(given.data, given.out, size, given.worlds, given.reasoning, given.seed):,} parameters")


if __name__ == "__main__":
    main()
