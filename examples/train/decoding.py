"""Replies to many conversations at once: keys and values in fixed memory, a common beginning computed once, and on a
GPU one CUDA graph per width, so that a token costs no Python.

Each conversation (slot) has a row of the memory. When at most half of the rows that are computed still have something
to say, their rows change places with others at the front, and only the front is computed from then on.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from model import Attention, Llama, rotate
from tokens import ChatTokens
from torch import Tensor

from tolman.env.rollouts import PendingReply

STEP = 512
"""Tokens by which the part of the memory that is attended to grows where it is the same for all conversations."""
GIVE_UP = "FINAL ANSWER:\nActions: [Term()]"
"""What is said in place of a reply for which there is no room."""
CHECK_EVERY = 8
"""Tokens between two looks at which replies have ended."""
NARROWEST = 8
"""Rows that are computed at least; fewer save nothing on a GPU."""
JOINED = {
    "qkv": ("self_attn.q", "self_attn.k", "self_attn.v"),
    "gate_up": ("mlp.gate", "mlp.up"),
}
"""Matrices that are multiplied with the same input."""
COLDEST = 1e-4
"""Temperature that stands for 0 in log-probabilities."""


@dataclass(frozen=True)
class Said:
    """One turn: tokens that were read, tokens of the reply without its end, and their log-probabilities with it.

    There is one log-probability more than tokens of the reply, unless the reply was cut off before its end.
    """

    read: list[int]
    reply: list[int]
    log_probabilities: list[float]


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
        self.model, self.tokens = model, tokens
        self.slots, self.context, self.reply_tokens = slots, context, reply_tokens
        shape, weight = model.shape, model.embed_tokens.weight
        self.device, self.dtype = weight.device, torch.bfloat16 if weight.is_cuda else torch.float32
        size = (shape.num_hidden_layers, slots + 1, shape.num_key_value_heads, context, shape.head)
        self.keys = torch.zeros(size, dtype=self.dtype, device=self.device)
        self.values = torch.zeros(size, dtype=self.dtype, device=self.device)
        self.prefix = torch.zeros(1, dtype=torch.long, device=self.device)
        """Tokens that are the same in all conversations; they are also in the last row, which is no conversation's."""
        self.length = torch.zeros(slots, dtype=torch.long, device=self.device)
        """Tokens of each row whose keys and values are in memory."""
        self.token = torch.zeros(slots, dtype=torch.long, device=self.device)
        """The token of each row that is said next."""
        self.log_probability = torch.zeros(slots, device=self.device)
        """Log-probability of `token` at the temperature at which it was sampled."""
        self.going = torch.zeros(slots, dtype=torch.bool, device=self.device)
        self.heat = torch.tensor(float(temperature), device=self.device)
        """The temperature, in memory, so that graphs stay valid when it changes."""
        self.row = list(range(slots))
        """The row of each slot."""
        self.narrow = True
        """Whether rows that have nothing to say are left out."""
        self.exceeded: set[int] = set()
        """Slots whose conversation no longer fits into the context."""
        self._graphs: dict[int, torch.cuda.CUDAGraph] = {}
        self._every_row = torch.arange(slots, device=self.device)
        self.weights = self._copied_weights()
        self.said: dict[int, list[Said]] = {}
        """What each slot read and said in its latest exploration, turn by turn; from it training is exact."""

    def _copied_weights(self) -> dict[str, Tensor]:
        """Copies of the model's weights; those of one input are parts of one matrix (`...qkv`, `...gate_up`)."""
        weights = {name: value.detach().to(self.dtype).clone() for name, value in self.model.state_dict().items()}
        for number in range(len(self.model.layers)):
            for joined, names in JOINED.items():
                own = [f"layers.{number}.{name}_proj.weight" for name in names]
                whole = torch.cat([weights[name] for name in own])
                weights |= dict(zip(own, whole.split([len(weights[name]) for name in own]), strict=True))
                weights[f"layers.{number}.{joined}"] = whole
        return weights

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
            self.length[self._rows(first)] = 0
        lengths = self.length.tolist()
        for turn in turns:
            tokens = self.tokens.request(turn.new, first=len(turn.new) == len(turn.messages))
            needed = lengths[self.row[turn.slot]] + len(tokens) + self.reply_tokens
            if turn.slot in self.exceeded or needed >= self.context:
                self.exceeded.add(turn.slot)
            else:
                new[turn.slot] = tokens
        replies = self._replies(new, first) if new else {}
        return [self.tokens.text(replies[turn.slot]) if turn.slot in replies else GIVE_UP for turn in turns]

    def _rows(self, slots: Sequence[int]) -> Tensor:
        return torch.tensor([self.row[slot] for slot in slots], device=self.device)

    def _replies(self, new: dict[int, list[int]], first: Sequence[int]) -> dict[int, list[int]]:
        slots = list(new)
        unread = list(new.values())
        if first:
            self.prefix.zero_()
        if len(slots) > 1 and set(slots) <= set(first):
            unread = self._share_prefix(slots, unread)
        self._read(slots, unread)
        said = self._reply(slots)
        for slot in slots:
            tokens, log_probabilities = said[slot]
            reply = self.tokens.until_end(tokens)
            turn = Said(new[slot], reply, log_probabilities[: len(reply) + 1])
            self.said[slot] = [*([] if slot in first else self.said[slot]), turn]
        return {slot: self.said[slot][-1].reply for slot in slots}

    def _share_prefix(self, slots: list[int], new: list[list[int]]) -> list[list[int]]:
        """Compute the common beginning in one slot and copy it to the others; returns what remains to be read."""
        first, last = min(new), max(new)
        common = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
        common = min(common, min(map(len, new)) - 1)
        if common < 1:
            return new
        alone = not self.length.any()
        self._read(slots[:1], [new[0][:common]])
        source, others = self.row[slots[0]], self._rows(slots[1:])
        for memory in (self.keys, self.values):
            memory[:, others, :, :common] = memory[:, source, :, :common].unsqueeze(1)
            memory[:, -1, :, :common] = memory[:, source, :, :common]
        self.length[others] = common
        if alone:
            self.prefix.fill_(common)
        return [tokens[common:] for tokens in new]

    def _read(self, slots: list[int], new: list[list[int]]) -> None:
        """Put new tokens of each slot into memory; the last one of each is left for the first step of the reply."""
        place = self._rows(slots)
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
        visible = torch.arange(reach, device=self.device)[None, None] <= positions[:, :, None]
        mask = self._additive(visible[:, None]).repeat(1, 1, self._queries_per_key, 1)
        x = F.embedding(rows, self.weights["embed_tokens.weight"])
        rotation = tuple(each.to(self.dtype) for each in self.model.rotation(positions))
        for number, layer in enumerate(self.model.layers):
            q, k, v = self._project(number, layer.self_attn, x, rotation)
            self.keys[number, place[:, None], :, target] = k.transpose(1, 2)
            self.values[number, place[:, None], :, target] = v.transpose(1, 2)
            keys, values = self.keys[number, place, :, :reach], self.values[number, place, :, :reach]
            x = self._after_attention(number, x, self._attend(q, keys, values, mask))
        last = x[torch.arange(len(place), device=self.device), counts - 1]
        self.token[place], self.log_probability[place] = self._choose(last)

    def _reply(self, slots: list[int]) -> dict[int, tuple[list[int], list[float]]]:
        """Sampled tokens of each slot and their log-probabilities, up to the end of its reply or beyond."""
        self.going.zero_()
        self.going[self._rows(slots)] = True
        said: dict[int, tuple[list[int], list[float]]] = {slot: ([], []) for slot in slots}
        unsorted: list[tuple[Tensor, Tensor]] = []
        width, furthest = self._brought_to_front(slots)
        for step in range(self.reply_tokens):
            spoken = torch.where(self.going, self.token, self.tokens.end)[:width]
            unsorted.append((spoken, self.log_probability[:width].clone()))
            self.going &= self.token != self.tokens.end
            if step % CHECK_EVERY == 0:
                going = self.going.tolist()
                active = [slot for slot in slots if going[self.row[slot]]]
                if not active:
                    break
                if self.narrow and self._width(len(active)) < width:
                    self._sort(unsorted, said)
                    width, reached = self._brought_to_front(active)
                    furthest = reached - step
            self._step(width, furthest + step + 1)
        self._sort(unsorted, said)
        return said

    def _sort(self, unsorted: list[tuple[Tensor, Tensor]], said: dict[int, tuple[list[int], list[float]]]) -> None:
        """Hand out what was said since rows last changed places."""
        tokens, log_probabilities = (torch.stack(part, dim=1).tolist() for part in zip(*unsorted, strict=True))
        for slot, (own_tokens, own_log_probabilities) in said.items():
            if self.row[slot] < len(tokens):
                own_tokens.extend(tokens[self.row[slot]])
                own_log_probabilities.extend(log_probabilities[self.row[slot]])
        unsorted.clear()

    def _width(self, count: int) -> int:
        """Rows to compute for `count` conversations: all, or half of them, a quarter, ..."""
        width = self.slots
        while self.narrow and width > NARROWEST and count <= math.ceil(width / 2):
            width = math.ceil(width / 2)
        return width

    def _brought_to_front(self, active: list[int]) -> tuple[int, int]:
        """Let the rows of these slots be in front; returns how many rows to compute, and the longest conversation."""
        width = self._width(len(active))
        slot_of = {row: slot for slot, row in enumerate(self.row)}
        taken = {self.row[slot] for slot in active}
        behind = [row for row in taken if row >= width]
        free = [row for row in range(width) if row not in taken][: len(behind)]
        if behind:
            here, there = (torch.tensor(rows, device=self.device) for rows in (behind + free, free + behind))
            end = min(self.context, int(self.length.max()) + 1)
            for memory in (*self.keys, *self.values):  # layer by layer, since what changes places is copied
                memory[here, :, :end] = memory[there, :, :end]
            for state in (self.length, self.token, self.going, self.log_probability):
                state[here] = state[there]
            for a, b in zip(behind, free, strict=True):
                self.row[slot_of[a]], self.row[slot_of[b]] = b, a
        return width, int(self.length[self._rows(active)].max())

    def _step(self, width: int, furthest: int) -> None:
        if self.device.type != "cuda":
            self._compute_step(width, min(self.context, math.ceil(furthest / STEP) * STEP))
            return
        if width not in self._graphs:
            self._graphs[width] = self._captured(width)
        self._graphs[width].replay()

    def _captured(self, width: int) -> torch.cuda.CUDAGraph:
        state = (self.length, self.token, self.going, self.log_probability)
        before = [each.clone() for each in state]
        self.going.zero_()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            self._compute_step(width, 0)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._compute_step(width, 0)
        for memory, kept in zip(state, before, strict=True):
            memory.copy_(kept)
        return graph

    def _compute_step(self, width: int, reach: int) -> None:
        """One token for the first `width` rows; without a GPU, attending to the first `reach` places of memory."""
        length, token, going = self.length[:width], self.token[:width], self.going[:width]
        rows = self._every_row[:width]
        x = F.embedding(token, self.weights["embed_tokens.weight"])[:, None]
        rotation = tuple(each.to(self.dtype) for each in self.model.rotation(length[:, None]))
        for number, layer in enumerate(self.model.layers):
            q, k, v = self._project(number, layer.self_attn, x, rotation)
            self.keys[number, rows, :, length] = k[:, :, 0]
            self.values[number, rows, :, length] = v[:, :, 0]
            x = self._after_attention(number, x, self._attend_one(number, q, length, reach))
        chosen, log_probability = self._choose(x[:, 0])
        length.add_(going)
        token.copy_(torch.where(going, chosen, token))
        self.log_probability[:width].copy_(log_probability)

    def _attend_one(self, number: int, q: Tensor, length: Tensor, reach: int) -> Tensor:
        """Attention of one token per row to its conversation; `q` is (rows, query heads, 1, size)."""
        if q.is_cuda:
            from decode_attention import decode_attention

            found = decode_attention(
                q[:, :, 0].contiguous(), self.keys[number], self.values[number], length, self.prefix, self.slots
            )
            return found[:, :, None]
        visible = torch.arange(reach, device=self.device)[None] <= length[:, None]
        mask = self._additive(visible[:, None, None]).expand(-1, -1, self._queries_per_key, -1)
        width = len(q)
        return self._attend(q, self.keys[number, :width, :, :reach], self.values[number, :width, :, :reach], mask)

    @property
    def _queries_per_key(self) -> int:
        return self.model.shape.num_attention_heads // self.model.shape.num_key_value_heads

    def _additive(self, visible: Tensor) -> Tensor:
        return torch.zeros_like(visible, dtype=self.dtype).masked_fill_(~visible, float("-inf"))

    def _attend(self, q: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> Tensor:
        """Attention in which the queries that share a key are further tokens, so that keys are not copied."""
        batch, heads, count, size = q.shape
        grouped = q.reshape(batch, keys.shape[1], -1, size)
        return F.scaled_dot_product_attention(grouped, keys, values, attn_mask=mask).view(batch, heads, count, size)

    def _project(
        self, number: int, attention: Attention, x: Tensor, rotation: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, Tensor, Tensor]:
        h = self._norm(x, f"layers.{number}.input_layernorm.weight")
        batch, count, _ = x.shape
        projected = F.linear(h, self.weights[f"layers.{number}.qkv"]).view(batch, count, -1, attention.size)
        turned = rotate(projected[:, :, : attention.heads + attention.kv_heads].transpose(1, 2), rotation)
        q, k = turned.split([attention.heads, attention.kv_heads], dim=1)
        return q, k, projected[:, :, -attention.kv_heads :].transpose(1, 2)

    def _after_attention(self, number: int, x: Tensor, out: Tensor) -> Tensor:
        prefix = f"layers.{number}"
        x = x + F.linear(out.transpose(1, 2).flatten(2), self.weights[f"{prefix}.self_attn.o_proj.weight"])
        h = self._norm(x, f"{prefix}.post_attention_layernorm.weight")
        gate, up = F.linear(h, self.weights[f"{prefix}.gate_up"]).chunk(2, dim=-1)
        return x + F.linear(F.silu(gate) * up, self.weights[f"{prefix}.mlp.down_proj.weight"])

    def _norm(self, x: Tensor, name: str) -> Tensor:
        return F.rms_norm(x, (x.shape[-1],), self.weights[name], self.model.shape.rms_norm_eps)

    def _choose(self, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """A token for each hidden state, and its log-probability at the temperature (0 takes the most probable)."""
        logits = F.linear(self._norm(hidden, "norm.weight"), self.weights["embed_tokens.weight"]).float()
        noise = -torch.log(-torch.log(torch.rand_like(logits).clamp_(1e-10, 1 - 1e-7)))
        chosen = (logits + self.heat * noise).argmax(-1)
        heated = logits / self.heat.clamp(min=COLDEST)
        return chosen, heated.gather(-1, chosen[:, None])[:, 0] - heated.logsumexp(-1)
