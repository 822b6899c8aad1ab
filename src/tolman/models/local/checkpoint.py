"""A folder of transformers weights (safetensors) in this process: replies to many conversations in one batch."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tolman.core.errors import optional_library
from tolman.models.local.llama_cpp import TOO_LONG, LocalModelError, Request

TOKENS_IN_A_BATCH = {"cuda": 400_000, "cpu": 16_000}
"""Most tokens of prompts, padded to the longest, that are computed at once."""


class Checkpoint:
    """A loaded causal language model with its tokenizer, on a GPU in bfloat16 if there is one, else in float32."""

    def __init__(self, folder: Path) -> None:
        torch, transformers = _library("torch"), _library("transformers")
        self._torch = torch
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self._model = transformers.AutoModelForCausalLM.from_pretrained(
                folder,
                local_files_only=True,
                use_safetensors=True,
                dtype=torch.bfloat16 if self.device == "cuda" else torch.float32,
            )
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise LocalModelError(f"transformers can't load {folder}: {error}") from None
        if not self._tokenizer.chat_template:
            raise LocalModelError(f"{folder} has no chat template, so a conversation can't be put into tokens")
        self._model.to(self.device).eval()
        self._tokenizer.padding_side = "left"
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token
        self.context = int(getattr(self._model.config, "max_position_embeddings", 0) or 1 << 30)

    def answers(self, requests: Sequence[Request]) -> list[dict[str, Any]]:
        """Replies, in the form of llama.cpp's; `requests` share their sampling settings."""
        prompts = [self._tokens(request) for request in requests]
        order = sorted(range(len(prompts)), key=lambda place: len(prompts[place]))
        answers: list[dict[str, Any]] = [{} for _ in prompts]
        budget = TOKENS_IN_A_BATCH[self.device]
        while order:
            longest = len(prompts[order[-1]])
            batch = [order.pop() for _ in range(min(len(order), max(1, budget // max(1, longest))))]
            replies = self._batch([prompts[place] for place in batch], requests[batch[0]])
            for place, reply in zip(batch, replies, strict=True):
                answers[place] = reply
        return answers

    def _tokens(self, request: Request) -> list[int]:
        text = self._tokenizer.apply_chat_template(request["messages"], add_generation_prompt=True, tokenize=False)
        return self._tokenizer(text, add_special_tokens=False)["input_ids"]

    def _batch(self, prompts: Sequence[list[int]], request: Request) -> list[dict[str, Any]]:
        longest = max(map(len, prompts))
        room = self.context - longest
        if room < 1:
            return [self._batch_of_one_or_too_long(prompt, request) for prompt in prompts]
        limit = min(_integer(request["max_tokens"]), room)
        padded = self._tokenizer.pad({"input_ids": list(prompts)}, return_tensors="pt").to(self.device)
        self._torch.manual_seed(_integer(request["seed"]))
        with self._torch.inference_mode():
            made = self._model.generate(**padded, max_new_tokens=limit, **_sampling(request))
        return [
            self._reply(len(prompt), row[longest:].tolist(), limit) for prompt, row in zip(prompts, made, strict=True)
        ]

    def _batch_of_one_or_too_long(self, prompt: list[int], request: Request) -> dict[str, Any]:
        if len(prompt) >= self.context:
            return {"error": {"message": "the prompt is too long", "type": TOO_LONG, "n_prompt_tokens": len(prompt)}}
        return self._batch([prompt], request)[0]

    def _reply(self, prompt: int, tokens: list[int], limit: int) -> dict[str, Any]:
        """The reply up to the first token that ends it; the rest is padding."""
        ends = self._ends
        length = next((place for place, token in enumerate(tokens) if token in ends), None)
        said = tokens if length is None else tokens[:length]
        text = self._tokenizer.decode(said, skip_special_tokens=True)
        finished = "stop" if length is not None or len(said) < limit else "length"
        usage = {"prompt_tokens": prompt, "completion_tokens": len(said)}
        return {"choices": [{"finish_reason": finished, "message": {"content": text}}], "usage": usage}

    @property
    def _ends(self) -> set[int]:
        stated = self._model.generation_config.eos_token_id
        ends = {stated} if isinstance(stated, int) else set(stated or ())
        return {*ends, self._tokenizer.eos_token_id}


@cache
def load_checkpoint(folder: Path) -> Checkpoint:
    """The model of a folder, loaded once per process."""
    return Checkpoint(folder)


def sampling_key(request: Request) -> str:
    """Equal for requests that can be answered in one batch."""
    return json.dumps({name: value for name, value in request.items() if name != "messages"}, sort_keys=True)


def _sampling(request: Request) -> dict[str, Any]:
    """Settings of `generate`; without a temperature, the model's own."""
    given = {name: request[name] for name in ("top_p", "top_k") if name in request}
    if "temperature" not in request:
        return given
    temperature = float(str(request["temperature"]))
    return {"do_sample": False} if temperature == 0 else {"do_sample": True, "temperature": temperature, **given}


def _integer(value: object) -> int:
    return int(str(value))


def _library(name: str) -> Any:
    missing = f"weights of transformers need {name}: run pip install 'tolman[probing]', or use a GGUF file"
    return optional_library(name, missing, LocalModelError)
