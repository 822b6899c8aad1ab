"""A tiny untrained model with a tokenizer of its own, to try the whole path on a CPU in a minute.

python tinymodel.py --data data/planner --out tiny
"""

import argparse
import json
from pathlib import Path

import torch
from conversations import Curriculum, conversation
from data import stored
from model import Llama
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from tokens import BEGIN, END

TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def make(data: Path, out: Path, worlds: int = 8, vocabulary: int = 1500) -> None:
    """Write a checkpoint of a few hundred thousand parameters; its tokens are learnt from the first worlds."""
    made = [conversation(row, Curriculum()) for row in stored(data, worlds)]
    texts = [piece.text for each in made for piece in each.trunk]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary, special_tokens=[END, BEGIN], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    out.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(out / "tokenizer.json"))
    names = {"eos_token": END, "bos_token": BEGIN, "pad_token": END}
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 8192, **names}
    (out / "tokenizer_config.json").write_text(json.dumps(settings, indent=2))
    (out / "chat_template.jinja").write_text(TEMPLATE)
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": tokenizer.get_vocab_size(),
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "hidden_act": "silu",
        "max_position_embeddings": 8192,
        "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0,
        "tie_word_embeddings": True,
        "bos_token_id": tokenizer.token_to_id(BEGIN),
        "eos_token_id": tokenizer.token_to_id(END),
        "pad_token_id": tokenizer.token_to_id(END),
    }
    torch.manual_seed(0)
    model = Llama(config)
    for parameter in model.parameters():
        if parameter.ndim > 1:
            torch.nn.init.normal_(parameter, std=0.05)
    model.save(out, out)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    make(arguments.data, arguments.out)


if __name__ == "__main__":
    main()
