"""Replies to many conversations at once: keys and values in fixed memory, a common beginning computed once, and on a
GPU one CUDA graph per length of memory, so that a token costs no Python.
"""

import math
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from model import Attention, Llama, rotate
from tokens import ChatTokens
from torch import Tensor

from tolman.env.rollouts import PendingReply

STEP = 512
"""Tokens by which the part of the memory that is attended to grows; each such length has its graph on a GPU."""
GIVE_UP = "FINAL ANSWER:\nActions: [Term()]"
"""What is said in place of a reply for which there is no room."""
CHECK_EVERY = 8
"""Tokens between two looks at whether every reply has ended."""


class Decoder:
    """A policy for `tolman.env.rollouts.roll_out`."""

    def __init__(
        self,
        model: Llama,
        tokens: ChatTokens,
        slots: int,
        context: int = 8192,
        reply_tokens: int = 384,
        temperature: float = 0.0,
    ) -> None:
        """`slots` conversations of up to `context` tokens; temperature 0 takes the most probable token."""
        self.model, self.tokens, self.temperature = model, tokens, temperature
        self.slots, self.context, self.reply_tokens = slots, context, reply_tokens
        shape, weight = model.shape, model.embed_tokens.weight
        self.device, self.dtype = weight.device, torch.bfloat16 if weight.is_cuda else torch.float32
        size = (shape.num_hidden_layers, slots, shape.num_key_value_heads, context, shape.head)
        self.keys = torch.zeros(size, dtype=self.dtype, device=self.device)
        self.values = torch.zeros(size, dtype=self.dtype, device=self.device)
        self.length = torch.zeros(slots, dtype=torch.long, device=self.device)
        """Tokens of each slot whose keys and values are in memory."""
        self.token = torch.zeros(slots, dtype=torch.long, device=self.device)
        self.going = torch.zeros(slots, dtype=torch.bool, device=self.device)
        self.exceeded: set[int] = set()
        """Slots whose conversation no longer fits into the context."""
        self._graphs: dict[int, torch.cuda.CUDAGraph] = {}
        self._every_slot = torch.arange(slots, device=self.device)
        self.weights = self._copied_weights()
        self.said: dict[int, list[tuple[list[int], list[int]]]] = {}
        """For each slot, the tokens read before each reply, and the reply; from them training is exact."""

    def _copied_weights(self) -> dict[str, Tensor]:
        return {name: value.detach().to(self.dtype).clone() for name, value in self.model.state_dict().items()}

    def refresh(self) -> None:
        """Take over the model's weights, in place, so that graphs stay valid."""
        for name, value in self.model.state_dict().items():
            self.weights[name].copy_(value)

    # ---- the policy ----

    @torch.inference_mode()
    def __call__(self, turns: Sequence[PendingReply]) -> list[str]:
        """One reply for each turn. A first turn begins its slot anew; one that no longer fits ends the exploration."""
        new: dict[int, list[int]] = {}
        first = [turn.slot for turn in turns if len(turn.new) == len(turn.messages)]
        self.exceeded -= set(first)
        if first:
            self.length[torch.tensor(first, device=self.device)] = 0
        lengths = self.length.tolist()
        for turn in turns:
            tokens = self.tokens.request(turn.new, first=len(turn.new) == len(turn.messages))
            if turn.slot in self.exceeded or lengths[turn.slot] + len(tokens) + self.reply_tokens >= self.context:
                self.exceeded.add(turn.slot)
            else:
                new[turn.slot] = tokens
        replies = self._replies(new, first) if new else {}
        return [self.tokens.text(replies[turn.slot]) if turn.slot in replies else GIVE_UP for turn in turns]

    def _replies(self, new: dict[int, list[int]], first: Sequence[int]) -> dict[int, list[int]]:
        slots = list(new)
        unread = list(new.values())
        if len(slots) > 1 and set(slots) <= set(first):
            unread = self._share_prefix(slots, unread)
        self._read(slots, unread)
        replies = dict(zip(slots, self._reply(slots), strict=True))
        for slot in slots:
            before = [] if slot in first else self.said[slot]
            self.said[slot] = [*before, (new[slot], replies[slot])]
        return replies

    def _share_prefix(self, slots: list[int], new: list[list[int]]) -> list[list[int]]:
        """Compute the common beginning in one slot and copy it to the others; returns what remains to be read."""
        first, last = min(new), max(new)
        common = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
        common = min(common, min(map(len, new)) - 1)
        if common < 1:
            return new
        self._read(slots[:1], [new[0][:common]])
        others = torch.tensor(slots[1:], device=self.device)
        for memory in (self.keys, self.values):
            memory[:, others, :, :common] = memory[:, slots[0], :, :common].unsqueeze(1)
        self.length[others] = common
        return [tokens[common:] for tokens in new]

    def _read(self, slots: list[int], new: list[list[int]]) -> None:
        """Put new tokens of each slot into memory; the last one of each is left for the first step of the reply."""
        place = torch.tensor(slots, device=self.device)
        longest = max(map(len, new))
        rows = torch.zeros((len(slots), longest), dtype=torch.long)
        for row, tokens in zip(rows, new, strict=True):
            row[: len(tokens)] = torch.tensor(tokens)
        rows = rows.to(self.device)
        counts = torch.tensor(list(map(len, new)), device=self.device)
        begin = self.length[place]
        self._prefill(place, rows, begin, counts)
        self.length[place] = begin + counts

    def _prefill(self, place: Tensor, rows: Tensor, begin: Tensor, counts: Tensor) -> None:
        reach = math.ceil((int((begin + counts).max())) / STEP) * STEP
        positions = begin[:, None] + torch.arange(rows.shape[1], device=self.device)
        valid = torch.arange(rows.shape[1], device=self.device)[None] < counts[:, None]
        target = torch.where(valid, positions, self.context - 1)  # the last place of the memory is never read
        mask = torch.arange(reach, device=self.device)[None, None] <= positions[:, :, None]
        x = F.embedding(rows, self.weights["embed_tokens.weight"])
        rotation = tuple(each.to(self.dtype) for each in self.model.rotation(positions))
        for number, layer in enumerate(self.model.layers):
            q, k, v = self._project(number, layer.self_attn, x, rotation)
            self.keys[number, place[:, None], :, target] = k.transpose(1, 2)
            self.values[number, place[:, None], :, target] = v.transpose(1, 2)
            keys, values = self.keys[number, place, :, :reach], self.values[number, place, :, :reach]
            out = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask[:, None], enable_gqa=True)
            x = self._after_attention(number, x, out)
        last = x[torch.arange(len(place), device=self.device), counts - 1]
        self.token[place] = self._choose(last)

    def _reply(self, slots: list[int]) -> list[list[int]]:
        """Sampled tokens of each slot up to the one that ends its reply, which is left out."""
        self.going.zero_()
        self.going[torch.tensor(slots, device=self.device)] = True
        said: list[Tensor] = []
        furthest = int(self.length.max())
        for step in range(self.reply_tokens):
            said.append(torch.where(self.going, self.token, self.tokens.end))
            self.going &= self.token != self.tokens.end
            if step % CHECK_EVERY == 0 and not bool(self.going.any()):
                break
            self._step(furthest + step + 1)
        tokens = torch.stack(said, dim=1).tolist()
        return [self.tokens.until_end(tokens[slot]) for slot in slots]

    def _step(self, furthest: int) -> None:
        reach = min(self.context, math.ceil(furthest / STEP) * STEP)
        if self.device.type != "cuda":
            self._compute_step(reach)
            return
        if reach not in self._graphs:
            self._graphs[reach] = self._captured(reach)
        self._graphs[reach].replay()

    def _captured(self, reach: int) -> torch.cuda.CUDAGraph:
        state = [self.length.clone(), self.token.clone(), self.going.clone()]
        self.going.zero_()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            self._compute_step(reach)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._compute_step(reach)
        for memory, before in zip((self.length, self.token, self.going), state, strict=True):
            memory.copy_(before)
        return graph

    def _compute_step(self, reach: int) -> None:
        """One token for every slot that goes on, attending to the first `reach` places of its memory."""
        x = F.embedding(self.token, self.weights["embed_tokens.weight"])[:, None]
        rotation = tuple(each.to(self.dtype) for each in self.model.rotation(self.length[:, None]))
        visible = (torch.arange(reach, device=self.device)[None] <= self.length[:, None])[:, None, None]
        for number, layer in enumerate(self.model.layers):
            q, k, v = self._project(number, layer.self_attn, x, rotation)
            self.keys[number, self._every_slot, :, self.length] = k[:, :, 0]
            self.values[number, self._every_slot, :, self.length] = v[:, :, 0]
            keys, values = self.keys[number, :, :, :reach], self.values[number, :, :, :reach]
            out = F.scaled_dot_product_attention(q, keys, values, attn_mask=visible, enable_gqa=True)
            x = self._after_attention(number, x, out)
        chosen = self._choose(x[:, 0])
        self.length.add_(self.going)
        self.token.copy_(torch.where(self.going, chosen, self.token))

    def _project(
        self, number: int, attention: Attention, x: Tensor, rotation: tuple[Tensor, ...]
    ) -> tuple[Tensor, Tensor, Tensor]:
        h = self._norm(x, f"layers.{number}.input_layernorm.weight")
        batch, count, _ = x.shape
        q, k, v = (
            F.linear(h, self.weights[f"layers.{number}.self_attn.{name}_proj.weight"])
            .view(batch, count, -1, attention.size)
            .transpose(1, 2)
            for name in ("q", "k", "v")
        )
        cos, sin = rotation
        return rotate(q, (cos, sin)), rotate(k, (cos, sin)), v

    def _after_attention(self, number: int, x: Tensor, out: Tensor) -> Tensor:
        prefix = f"layers.{number}"
        x = x + F.linear(out.transpose(1, 2).flatten(2), self.weights[f"{prefix}.self_attn.o_proj.weight"])
        h = self._norm(x, f"{prefix}.post_attention_layernorm.weight")
        gate, up, down = (self.weights[f"{prefix}.mlp.{name}_proj.weight"] for name in ("gate", "up", "down"))
        return x + F.linear(F.silu(F.linear(h, gate)) * F.linear(h, up), down)

    def _norm(self, x: Tensor, name: str) -> Tensor:
        return F.rms_norm(x, (x.shape[-1],), self.weights[name], self.model.shape.rms_norm_eps)

    def _choose(self, hidden: Tensor) -> Tensor:
        logits = F.linear(self._norm(hidden, "norm.weight"), self.weights["embed_tokens.weight"]).float()
        if self.temperature == 0:
            return logits.argmax(-1)
        noise = -torch.log(-torch.log(torch.rand_like(logits).clamp_(1e-10, 1 - 1e-7)))
        return (logits / self.temperature + noise).argmax(-1)
