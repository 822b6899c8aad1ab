"""Two steps of TRL's `GRPOTrainer` in our environment, with a tiny random model on the CPU.

`python run_trl.py PLANNED.json` in TRL's environment. In the first step the model's own tokens are generated; in the
second one rollout makes the planner's tool calls and the other ends at once. All the rest (chat template, tool calls,
rewards, loss) is TRL's. Prints one line of JSON.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"

import torch
import trl
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig, GRPOTrainer

from tolman.env.trl import TheoryOfSpace, training_rows

planned = json.loads(Path(sys.argv[1]).read_text())
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>"]


def small_tokenizer(texts):
    """A byte-level tokenizer of a few hundred merges, with Qwen3's chat template."""
    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    inner.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=1000, special_tokens=SPECIAL, initial_alphabet=alphabet)
    )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    tokenizer.chat_template = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text()
    return tokenizer


def tool_call(text):
    """A call of the only tool, as the template writes it."""
    return f"<tool_call>\n{json.dumps({'name': 'reply', 'arguments': {'text': text}})}\n</tool_call><|im_end|>"


class PlannedTrainer(GRPOTrainer):
    """In the second step, the tokens of two scripted rollouts take the place of generated ones."""

    def _generate_single_turn(self, prompt_ids, *arguments, **options):
        if self.state.global_step == 0:
            return super()._generate_single_turn(prompt_ids, *arguments, **options)
        if not hasattr(self, "scripts"):
            self.scripts = [list(planned["replies"]), ["FINAL ANSWER:\nActions: [Term()]"]]
            self.talking = [0, 1]
        assert len(prompt_ids) == len(self.talking)
        said = [tool_call(self.scripts[i].pop(0)) if self.scripts[i] else "Done.<|im_end|>" for i in self.talking]
        self.talking = [i for i, text in zip(self.talking, said, strict=True) if text.startswith("<tool_call>")]
        return [self.processing_class.encode(text) for text in said], None

    def _calculate_rewards(self, *arguments, **options):
        rewards = super()._calculate_rewards(*arguments, **options)
        seen.append((rewards[:, 0].tolist(), [each.exploration for each in self.environments]))
        return rewards


seen = []
torch.manual_seed(0)
torch.set_num_threads(1)
begun = time.monotonic()
rows = training_rows([planned["seed"]])
tokenizer = small_tokenizer([*planned["replies"], *planned["messages"], TheoryOfSpace().reset(seed=planned["seed"])])
config = Qwen3Config(
    vocab_size=len(tokenizer),
    hidden_size=32,
    intermediate_size=64,
    num_hidden_layers=1,
    num_attention_heads=2,
    num_key_value_heads=1,
    head_dim=16,
    max_position_embeddings=32768,
)
with tempfile.TemporaryDirectory() as folder:
    arguments = GRPOConfig(
        output_dir=folder,
        per_device_train_batch_size=2,
        num_generations=2,
        max_steps=2,
        max_completion_length=12000,
        max_tool_calling_iterations=30,
        learning_rate=1e-3,
        report_to=[],
        save_strategy="no",
        use_cpu=True,
        bf16=False,
        generation_kwargs={"max_new_tokens": 24},
    )
    trainer = PlannedTrainer(
        Qwen3ForCausalLM(config),
        args=arguments,
        processing_class=tokenizer,
        train_dataset=Dataset.from_list(rows),
        environment_factory=TheoryOfSpace,
    )
    assert trainer.reward_func_names == ["TheoryOfSpace"], trainer.reward_func_names
    before = [weight.detach().clone() for weight in trainer.model.parameters()]
    trainer.train()
    moved = any(not torch.equal(old, new) for old, new in zip(before, trainer.model.parameters(), strict=True))
(_, _), (rewards, explorations) = seen
expert, quitter = explorations
print(
    json.dumps(
        {
            "trl": trl.__version__,
            "steps": trainer.state.global_step,
            "weights moved": moved,
            "rewards": expert.rewards,
            "digest": expert.digest,
            "returns": rewards,
            "quitter": quitter.rewards,
            "seconds": round(time.monotonic() - begun, 1),
        }
    )
)
