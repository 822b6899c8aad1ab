"""Supervised training on demonstrations.

    python supervised.py --start smollm2 --data data/planner --out runs/supervised --worlds 1000,4000,16000

The data are read at a constant learning rate, and again when all have been read. For each number of worlds in
`--worlds`, the rate falls to zero over the last part (`--fall`), the checkpoint is saved in OUT/WORLDS, and training
goes on from where the rate began to fall; so one run gives a learning curve. With `--seconds` the last one is ready
after that time, if that is sooner. The same command resumes after the last checkpoint that is there.
"""

import argparse
import json
import time
from pathlib import Path

import torch
from conversations import Curriculum
from model import Llama
from packing import PackedDemonstrations, batches
from settings import read_options
from training import Trainer, add_options, warmed_up


def train(arguments: argparse.Namespace) -> list[dict]:
    """Train, save checkpoints, and return what was measured at each."""
    torch.manual_seed(arguments.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Llama.load(arguments.start, device, arguments.precision)
    trainer = Trainer(model, optimizer=arguments.optimizer)
    curriculum = Curriculum(
        arguments.reasoning, arguments.maps, arguments.questions, arguments.share, not arguments.no_acting
    )
    budgets = [int(each) for each in arguments.worlds.split(",")]
    done = trainer.load_state(arguments.out / "resume")
    budgets = [each for each in budgets if each > done]
    measured: list[dict] = []
    if not budgets:
        return measured
    size, skip = (arguments.length, arguments.rows), arguments.skip + done
    data = PackedDemonstrations(arguments.data, curriculum, arguments.start, *size, skip, arguments.seed)
    read = done
    kept, fall_begin, losses = None, 0.0, []
    begin = time.perf_counter()
    for worlds, batch in batches(data, arguments.workers):
        read, budget, last = read + worlds, budgets[0], len(budgets) == 1
        passed = time.perf_counter() - begin
        spent = max(read / budget, passed / arguments.seconds if last else 0.0)
        if kept is None and spent >= 1 - arguments.fall:
            kept, fall_begin = (trainer.snapshot() if not last else {}), spent
        rate = warmed_up(trainer.steps, arguments.warm_up, arguments.rate)
        if kept is not None:
            rate *= max(0.0, min(1.0, (1 - spent) / max(1e-9, 1 - fall_begin)))
        losses.append(trainer.step([batch], rate))
        if trainer.steps % arguments.print_every == 0:
            loss, speed = f"loss {_mean(losses):.4f}", f"{trainer.speed:,.0f} tokens/s"
            print(f"step {trainer.steps}: {read:,} worlds, {loss}, rate {rate:.1e}, {speed}", flush=True)
        if spent >= 1 and kept is not None:
            measured.append(_save(trainer, arguments, min(read, budget), losses, time.perf_counter() - begin))
            if last:
                break
            trainer.restore(kept)
            trainer.save_state(arguments.out / "resume", read)
            kept, budgets = None, budgets[1:]
    return measured


def _mean(losses: list[torch.Tensor]) -> float:
    """The mean of the last ten steps."""
    return float(torch.stack(losses[-10:]).mean())


def _save(
    trainer: Trainer, arguments: argparse.Namespace, budget: int, losses: list[torch.Tensor], seconds: float
) -> dict:
    folder = arguments.out / str(budget)
    trainer.model.save(folder, arguments.start)
    measured = {
        "worlds": budget,
        "loss": _mean(losses),
        "tokens": trainer.tokens,
        "tokens_per_second": round(trainer.speed),
        "seconds": round(seconds, 1),
        "settings": {name: str(value) for name, value in vars(arguments).items()},
    }
    (folder / "training.json").write_text(json.dumps(measured, indent=2))
    print(f"saved {folder}: loss {measured['loss']:.4f}, {measured['tokens']:,} tokens, {seconds:.0f} s", flush=True)
    return measured


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Train on demonstrations.")
    parser.add_argument("--start", type=Path, required=True, help="checkpoint to begin with")
    parser.add_argument("--data", type=Path, required=True, help="folder that data.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--worlds", default="1000,2000,4000,8000,16000", help="worlds after which to save a checkpoint")
    parser.add_argument("--seconds", type=float, default=1e9, help="time for all, after which the last is saved")
    parser.add_argument("--skip", type=int, default=0, help="worlds to leave out at the beginning")
    parser.add_argument("--reasoning", choices=["belief", "sightings", "ranges", "count"], default="belief")
    parser.add_argument("--maps", type=int, default=0, help="maps per world that are stated on branches")
    parser.add_argument("--questions", type=int, default=0, help="questions per world that are answered on branches")
    parser.add_argument("--share", type=float, default=1.0, help="share of the worlds with maps and questions")
    parser.add_argument("--no-acting", action="store_true", help="explorations are read, but not learnt")
    parser.add_argument("--seed", type=int, default=0, help="of the variations of worlds that are read")
    add_options(parser, rate=1e-3)
    parser.add_argument("--warm-up", type=int, default=30, help="steps")
    parser.add_argument(
        "--fall", type=float, default=0.2, help="share of a checkpoint's worlds over which the rate falls"
    )
    parser.add_argument("--length", type=int, default=16384, help="tokens of a packed row")
    parser.add_argument("--rows", type=int, default=2, help="packed rows per step")
    parser.add_argument("--workers", type=int, default=4, help="processes that make conversations")
    parser.add_argument("--print-every", type=int, default=20)
    return parser


if __name__ == "__main__":
    train(read_options(options(), "supervised"))
