"""How many tokens of prompts llama.cpp computes in a scene, when it keeps nothing, the last prompt, or all it can.

The prompts are real ones of a scripted explorer, with every branch of the default protocol; the model reads each and
its reply is thrown away for the script's, so that the numbers are those of a model that explores well.
    python benchmarks/prefix_reuse.py [--model smollm2|FILE.gguf] [--scenes 0] [--agent scout]
"""

import argparse
import asyncio
import json
import time
from itertools import pairwise
from typing import Any, cast

import anyio
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, get_model, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from tolman.benchmarks.theory_of_space.case import case_of
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.inspect_stage import InspectStage
from tolman.benchmarks.theory_of_space.protocol.run_scene import SceneRun
from tolman.harness.model_calls import ModelCalls
from tolman.models.local import llama_cpp
from tolman.world import WorldSettings
from tolman.world.select import choose_scenes

ONE_TOKEN = GenerateConfig(max_tokens=1, temperature=0)
CONTEXT = 16384
"""Tokens: room for a long exploration, more than SmolLM2 was trained on; only counts are wanted here."""
USAGES: list[ModelUsage] = []
TEXTS: list[str] = []
"""Of all calls."""


@modelapi(name="rehearsed")
class Rehearsed(ModelAPI):
    """Reads every prompt with a local model, and answers as a script does."""

    def __init__(self, model_name: str, reader: ModelAPI, **_: object) -> None:
        super().__init__(model_name)
        self._reader, self._script = reader, get_model(f"tolman/{model_name}").api

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        read = cast("ModelOutput", await self._reader.generate(input, tools, tool_choice, ONE_TOKEN))
        TEXTS.append("\n".join(f"{message.role}: {message.text}" for message in input))
        USAGES.append(read.usage or ModelUsage())
        return cast("ModelOutput", await self._script.generate(input, tools, tool_choice, config))

    def max_connections(self) -> int:
        return 1


async def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Run scenes at once; tokens sent, tokens computed, and how few would do."""
    options = Options(questions=arguments.questions)
    reader = get_model(f"local/{arguments.model}", threads=arguments.threads, context=CONTEXT, memoize=False).api
    model = get_model(f"rehearsed/{arguments.agent}", reader=reader, memoize=False)
    USAGES.clear()
    TEXTS.clear()
    began = time.perf_counter()
    async with anyio.create_task_group() as group:
        for choice in choose_scenes(arguments.scenes, WorldSettings()):
            case = case_of(choice, options)
            group.start_soon(SceneRun(case, options, InspectStage(ModelCalls(model, {}, resume=False), case)).run)
    computed = sum(usage.input_tokens for usage in USAGES)
    sent = computed + sum(usage.input_tokens_cache_read or 0 for usage in USAGES)
    return {
        "calls": len(USAGES),
        "sent": sent,
        "computed": computed,
        "ratio": round(sent / computed, 1),
        "at least": round(sent * _distinct(TEXTS) / sum(map(len, TEXTS))),
        "seconds": round(time.perf_counter() - began, 1),
    }


def _distinct(texts: list[str]) -> int:
    """Characters of texts where each beginning that several share counts once."""
    return sum(len(text) - _shared(before, text) for before, text in pairwise(["", *sorted(texts)]))


def _shared(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--agent", default="scout")
    parser.add_argument("--scenes", default="0", help="All run at once.")
    parser.add_argument("--questions", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    for kept, mebibytes in (("the last prompt", 0), ("the last prompt and those set aside", llama_cpp.CACHE_MEBIBYTES)):
        llama_cpp.CACHE_MEBIBYTES = mebibytes
        llama_cpp._load.cache_clear()
        print(json.dumps({"kept": kept, **asyncio.run(measure(arguments))}), flush=True)


if __name__ == "__main__":
    main()
