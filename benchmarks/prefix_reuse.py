"""How many tokens of prompts llama.cpp computes in a scene: all of them, in order of arrival, and in our order.

The prompts are real ones of a scripted explorer, with every branch of the default protocol; the model reads each and
its reply is thrown away for the script's, so that the numbers are those of a model that explores well.
    python benchmarks/prefix_reuse.py [--model smollm2|FILE.gguf] [--threads 1] [--questions 3]
"""

import argparse
import asyncio
import json
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

import anyio
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, get_model, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from tolman.benchmarks.theory_of_space.case import case_of
from tolman.benchmarks.theory_of_space.inspect_stage import InspectStage
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.run_scene import SceneRun
from tolman.models.local.prefix_queue import MAX_WAITING, PrefixQueue
from tolman.world import WorldSettings
from tolman.world.select import choose_scenes

ONE_TOKEN = GenerateConfig(max_tokens=1, temperature=0)
CONTEXT = 16384
"""Tokens: room for a long exploration, more than SmolLM2 was trained on; only counts are wanted here."""


class ArrivalQueue(PrefixQueue):
    """First come, first served."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = anyio.Lock()

    @asynccontextmanager
    async def turn(self, messages: Sequence[ChatMessage]) -> AsyncGenerator[None]:
        del messages
        async with self._lock:
            yield


USAGES: list[ModelUsage] = []
"""Of all calls of a scene."""


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
        USAGES.append(read.usage or ModelUsage())
        return cast("ModelOutput", await self._script.generate(input, tools, tool_choice, config))

    def max_connections(self) -> int:
        return MAX_WAITING


async def measure(arguments: argparse.Namespace, queue: PrefixQueue) -> dict[str, Any]:
    """Run a scene; tokens sent and tokens computed."""
    options = Options(questions=arguments.questions)
    case = case_of(choose_scenes(arguments.scene, WorldSettings())[0], options)
    reader = get_model(f"local/{arguments.model}", threads=arguments.threads, context=CONTEXT, memoize=False).api
    reader._queue = queue  # pyright: ignore[reportAttributeAccessIssue]
    model = get_model(f"rehearsed/{arguments.agent}", reader=reader, memoize=False)
    stage = InspectStage(model, case, {}, resume=False)
    USAGES.clear()
    began = time.perf_counter()
    await SceneRun(case, options, stage).run()
    computed = sum(usage.input_tokens for usage in USAGES)
    sent = computed + sum(usage.input_tokens_cache_read or 0 for usage in USAGES)
    return {
        "calls": len(USAGES),
        "sent": sent,
        "computed": computed,
        "ratio": round(sent / computed, 1),
        "seconds": round(time.perf_counter() - began, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--agent", default="scout")
    parser.add_argument("--scene", default="0")
    parser.add_argument("--questions", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    for name, queue in (("longest shared prefix first", PrefixQueue()), ("order of arrival", ArrivalQueue())):
        print(json.dumps({"order": name, **asyncio.run(measure(arguments, queue))}), flush=True)


if __name__ == "__main__":
    main()
