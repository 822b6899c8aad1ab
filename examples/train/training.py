"""Steps of gradient descent on packed rows. Supervised training and policy gradients differ in the weights only."""

import argparse
import contextlib
import json
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from model import Llama, packed_mask
from packing import Rows
from safetensors.torch import load_file, save_file
from torch import Tensor


class Trainer:
    """A model with its optimizers. On a GPU layers are compiled. Weights are in float32, whatever it computes in."""

    def __init__(
        self,
        model: Llama,
        decay: float = 0.0,
        temperature: float = 1.0,
        clip: float | None = None,
        optimizer: str = "adamw",
    ) -> None:
        """`temperature` divides logits. With `clip`, weights are advantages of sampled tokens, and what is maximised
        is advantage times probability over that when sampled, no further than `clip` from 1 (PPO). With the optimizer
        `muon`, Muon is used for the matrices of layers, AdamW for the rest.
        """
        self.model, self.temperature, self.clip = model, temperature, clip
        self.drift = torch.zeros(())
        """After a step, the mean of |log-probability - log-probability when sampled| over its targets."""
        self.device = model.embed_tokens.weight.device.type
        self.optimizers = _optimizers(model, decay, muon=optimizer == "muon")
        if self.device == "cuda":
            for layer in model.layers:
                layer.compile(dynamic=False)
            model.chunk = torch.compile(model.chunk, dynamic=False)
        self.tokens = self.steps = 0
        self.begin = 0.0

    @property
    def speed(self) -> float:
        """Tokens computed per second since the first step, its compilation included."""
        return self.tokens / max(1e-9, time.perf_counter() - self.begin)

    def step(self, batches: Sequence[Rows], rate: float) -> Tensor:
        """One update on all batches together; returns the weighted mean of the targets' negative log-probability.

        Weights may be negative, as in policy gradients; they are divided by the number of targets. The GPU is not
        waited for, so that the next batch is made meanwhile.
        """
        self.begin = self.begin or time.perf_counter()
        targets = max(1, sum(len(batch.targets) for batch in batches))
        total = torch.zeros((), device=self.device)
        self.drift = torch.zeros((), device=self.device)
        for batch in batches:
            total = total + self._backward(batch, targets)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        self.steps += 1
        self.tokens += sum(batch.count for batch in batches)
        return total

    def _backward(self, rows: Rows, targets: int) -> Tensor:
        says = self.log_probabilities(rows)
        places = rows.targets
        weight, sampled = (each.flatten()[places].to(self.device) for each in (rows.weight, rows.sampled))
        self.drift = self.drift + (says.detach() - sampled).abs().sum() / targets
        if self.clip is None:
            gained = says * weight
        else:
            ratio = (says - sampled).exp()
            gained = torch.minimum(ratio * weight, ratio.clamp(1 - self.clip, 1 + self.clip) * weight)
        loss = -gained.sum() / targets
        loss.backward()
        return loss.detach()

    def log_probabilities(self, rows: Rows) -> Tensor:
        """Log-probability of every target in the rows. A target is predicted from the token before it."""
        places, rows = rows.targets.to(self.device), rows.to(self.device)
        mask = packed_mask(rows.shared, rows.trunk, rows.fork, rows.own)
        with self._autocast():
            before = self.model.hidden(rows.tokens, rows.positions, mask).flatten(0, 1)[places - 1]
            return self.model.log_probabilities(before, rows.tokens.flatten()[places], self.temperature)

    def _autocast(self) -> contextlib.AbstractContextManager:
        low = self.model.dtype != torch.float32
        return torch.autocast(self.device, self.model.dtype) if low else contextlib.nullcontext()

    def snapshot(self) -> dict[str, Tensor]:
        """Copies of weights and of the optimizers' states."""
        kept = {f"weights/{name}": value.clone() for name, value in self.model.state_dict().items()}
        for place, optimizer in enumerate(self.optimizers):
            for number, moments in optimizer.state_dict()["state"].items():
                kept |= {f"state/{place}/{number}/{name}": value.clone() for name, value in moments.items()}
        return kept

    def restore(self, kept: dict[str, Tensor]) -> None:
        """Go on from a snapshot."""
        parts = {name: value for name, value in kept.items() if name.startswith("weights/")}
        self.model.load_state_dict({name.removeprefix("weights/"): value for name, value in parts.items()})
        for place, optimizer in enumerate(self.optimizers):
            state: dict[int, dict[str, Tensor]] = {}
            for name, value in kept.items():
                if name.startswith(f"state/{place}/"):
                    number, moment = name.split("/")[2:]
                    state.setdefault(int(number), {})[moment] = value
            optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})

    def save_state(self, folder: Path, worlds: int) -> None:
        """What an interrupted run needs to go on, in safetensors."""
        folder.mkdir(parents=True, exist_ok=True)
        save_file(self.snapshot(), folder / "state.part")
        (folder / "state.part").rename(folder / "state.safetensors")
        progress = {"worlds": worlds, "steps": self.steps}
        (folder / "progress.json").write_text(json.dumps(progress))

    def load_state(self, folder: Path) -> int:
        """Go on where `save_state` was called; returns the number of worlds that were read, 0 at a first start."""
        if not (folder / "progress.json").exists():
            return 0
        self.restore(load_file(folder / "state.safetensors", device=self.device))
        progress = json.loads((folder / "progress.json").read_text())
        self.steps = progress["steps"]
        return progress["worlds"]


def _optimizers(model: Llama, decay: float, *, muon: bool) -> list[torch.optim.Optimizer]:
    named = dict(model.named_parameters())
    matrices = [p for name, p in named.items() if p.ndim > 1 and not (muon and name.startswith("layers."))]
    vectors = [p for p in named.values() if p.ndim == 1]
    groups = [{"params": matrices, "weight_decay": decay}, {"params": vectors, "weight_decay": 0.0}]
    made: list[torch.optim.Optimizer] = [torch.optim.AdamW(groups, lr=0.0, betas=(0.9, 0.95), fused=True)]
    if muon:
        inner = [p for name, p in named.items() if p.ndim > 1 and name.startswith("layers.")]
        made.append(torch.optim.Muon(inner, lr=0.0, weight_decay=decay, adjust_lr_fn="match_rms_adamw"))
    return made


def add_options(parser: argparse.ArgumentParser, rate: float) -> None:
    """Options of every script that trains."""
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--optimizer", choices=["adamw", "muon"], default="adamw", help="muon: for matrices of layers")
    parser.add_argument("--precision", choices=["bfloat16", "float32"], help="in which to compute")


def warmed_up(step: int, warm_up: int, peak: float) -> float:
    """Learning rate that rises linearly to its peak and stays there."""
    return peak * min(1.0, (step + 1) / max(1, warm_up))
