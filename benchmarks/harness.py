"""What the harness costs: CPU of each model call, of 100 scenes with a scripted model, and memory with all in flight.

CPU is that of the whole process, the model's own thinking taken off where it says so. Run it alone on the machine.
"""

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.harness.evaluation import RunPlan, evaluate

SAID = {"calls": 0}


@modelapi(name="parrot")
class Parrot(ModelAPI):
    """Answers at once, so that all that is left is the harness: twelve looks, then the end."""

    def __init__(self, model_name: str, base_url: str | None = None, api_key: str | None = None, **_: object) -> None:
        super().__init__(model_name, base_url, api_key, [], GenerateConfig())

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        del tools, tool_choice, config
        SAID["calls"] += 1
        turns = sum(message.role == "assistant" for message in input)
        action = "Rotate(90), Observe()" if turns < 12 else "Term()"
        output = ModelOutput.from_content(str(self), f"THINK:\nOn I go.\nFINAL ANSWER:\nActions: [{action}]")
        output.usage = ModelUsage(input_tokens=2000, output_tokens=20, total_tokens=2020)
        return output

    def max_connections(self) -> int:
        return 1000


def main() -> None:
    """Print one line for each measurement."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--scenes", type=int, default=100)
    parser.add_argument("--only", choices=("parrot", "strategist", "scout", "planner"))
    chosen = parser.parse_args()
    for name in (chosen.only,) if chosen.only else ("parrot", "strategist"):
        model = "parrot/on" if name == "parrot" else f"tolman/{name}"
        for resume in (False, True):
            _measure(model, chosen.scenes, resume=resume)


def _measure(model: str, scenes: int, *, resume: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        task = theory_of_space(scenes=f"0-{scenes - 1}", phases="explore,ask", resume=resume)
        plan = RunPlan(model, Path(folder), scenes_at_once=scenes, display="none")
        evaluate([theory_of_space(scenes="0", phases="explore")], RunPlan(model, Path(folder) / "warm", display="none"))
        SAID["calls"] = 0
        begin = time.process_time()
        log = evaluate([task], plan).logs[0]
        cpu = time.process_time() - begin
    done = log.results.completed_samples if log.results else 0
    calls = SAID["calls"]
    each = f", {1000 * cpu / calls:.1f} ms a call of {calls}" if calls else ""
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    kept = "replies kept for a restart" if resume else "replies not kept"
    print(f"{model}, {kept}: {done} scenes, {cpu:.1f} CPU s{each}, peak {memory:.0f} MB")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
