"""Replies to many conversations at once: keys and values in fixed memory, a common beginning computed once, and on a
GPU one CUDA graph per width, so that a token costs no Python.

Each conversation (slot) has a row of the memory. Replies are handed out when a quarter of them has ended, so that the
longest keeps few others waiting. When at most half of the rows that are computed still have something to say, their
rows change places with others at the front, and only the front is computed from then on.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from model import Llama, rotate
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


@dataclass
class Saying:
    """A reply that has begun: tokens that were read before it, tokens of it so far, and their log-probabilities."""

    read: list[int]
    tokens: list[int] = field(default_factory=list)
    log_probabilities: list[float] = field(default_factory=list)


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
        self.device, self.dtype = weight.device, model.dtype
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
        self._one_before, self._one_after = before_attention, after_attention
        """Of one token per row; on a GPU compiled, since it is mostly many small steps."""
        if self.device.type == "cuda":
            self._one_before, self._one_after = map(torch.compile, (before_attention, after_attention))
        self._every_row = torch.arange(slots, device=self.device)
        self.weights = self._copied_weights()
        self.ended_share = 0.25
        """Share of the replies that have to end before they are handed out, and others begin in their place."""
        self._saying: dict[int, Saying] = {}
        """Replies that have begun and not ended."""
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
    def __call__(self, turns: Sequence[PendingReply]) -> list[str | None]:
        """Replies that have ended, None for those that are still being said. A first turn begins its slot anew; one
        that no longer fits ends the exploration.
        """
        new: dict[int, list[int]] = {}
        begun = [turn for turn in turns if turn.slot not in self._saying]
        first = [turn.slot for turn in begun if len(turn.new) == len(turn.messages)]
        self.exceeded -= set(first)
        if first:
            self.length[self._rows(first)] = 0
        lengths = self.length.tolist()
        for turn in begun:
            tokens = self.tokens.request(turn.new, first=len(turn.new) == len(turn.messages))
            needed = lengths[self.row[turn.slot]] + len(tokens) + self.reply_tokens + CHECK_EVERY
            if turn.slot in self.exceeded or needed >= self.context:
                self.exceeded.add(turn.slot)
            else:
                new[turn.slot] = tokens
        if new:
            self._begin(new, first)
        replies = self._until_some_end() if self._saying else {}
        replies |= dict.fromkeys(self.exceeded, GIVE_UP)
        return [replies.get(turn.slot) for turn in turns]

    def _rows(self, slots: Sequence[int]) -> Tensor:
        return torch.tensor([self.row[slot] for slot in slots], device=self.device)

    def _begin(self, new: dict[int, list[int]], first: Sequence[int]) -> None:
        """Read new messages; the replies to them begin."""
        slots = list(new)
        unread = list(new.values())
        if first:
            self.prefix.zero_()
        if len(slots) > 1 and set(slots) <= set(first):
            unread = self._share_prefix(slots, unread)
        self._read(slots, unread)
        self.going[self._rows(slots)] = True
        for slot in slots:
            self.said[slot] = [] if slot in first else self.said[slot]
            self._saying[slot] = Saying(new[slot])

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
        for number in range(len(self.model.layers)):
            q, k, v = self._project(number, x, rotation)
            self.keys[number, place[:, None], :, target] = k.transpose(1, 2)
            self.values[number, place[:, None], :, target] = v.transpose(1, 2)
            keys, values = self.keys[number, place, :, :reach], self.values[number, place, :, :reach]
            x = self._after_attention(number, x, self._attend(q, keys, values, mask))
        last = x[torch.arange(len(place), device=self.device), counts - 1]
        self.token[place], self.log_probability[place] = self._choose(last)

    def _until_some_end(self) -> dict[int, str]:
        """Say more of all replies that have begun, until a share of them has ended; returns these."""
        active = list(self._saying)
        said = {slot: len(self._saying[slot].tokens) for slot in active}
        enough = math.ceil(len(active) * self.ended_share)
        width, furthest = self._brought_to_front(active)
        unsorted: list[tuple[Tensor, Tensor]] = []
        step = 0
        while True:
            step += 1
            spoken = torch.where(self.going, self.token, self.tokens.end)[:width]
            unsorted.append((spoken, self.log_probability[:width].clone()))
            self.going &= self.token != self.tokens.end
            self._step(width, furthest + step)
            if step % CHECK_EVERY:
                continue
            going = self.going.tolist()
            going_on = [n for n in active if going[self.row[n]] and said[n] + step < self.reply_tokens]
            if len(active) - len(going_on) >= enough:
                self._sort(unsorted)
                return {slot: self._ended(slot) for slot in active if slot not in set(going_on)}
            if self.narrow and self._width(len(going_on)) < width:
                self._sort(unsorted)
                width, reached = self._brought_to_front([n for n in active if going[self.row[n]]])
                furthest = reached - step

    def _ended(self, slot: int) -> str:
        """The text of a reply that has ended, or was cut off, as what is said in its slot from now on."""
        saying = self._saying.pop(slot)
        reply = self.tokens.until_end(saying.tokens)
        beyond = max(0, len(reply) - self.reply_tokens)
        if beyond:
            self.length[self.row[slot]] -= beyond
        self.going[self.row[slot]] = False
        reply = reply[: self.reply_tokens]
        chosen = saying.log_probabilities[: len(reply) + (not beyond)]
        self.said[slot].append(Said(saying.read, reply, chosen))
        return self.tokens.text(reply)

    def _sort(self, unsorted: list[tuple[Tensor, Tensor]]) -> None:
        """Hand out what was said since rows last changed places."""
        tokens, log_probabilities = (torch.stack(part, dim=1).tolist() for part in zip(*unsorted, strict=True))
        for slot, saying in self._saying.items():
            if self.row[slot] < len(tokens):
                saying.tokens.extend(tokens[self.row[slot]])
                saying.log_probabilities.extend(log_probabilities[self.row[slot]])
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
        for number in range(len(self.model.layers)):
            q, k, v = self._project(number, x, rotation, one=True)
            self.keys[number, rows, :, length] = k[:, :, 0]
            self.values[number, rows, :, length] = v[:, :, 0]
            x = self._after_attention(number, x, self._attend_one(number, q, length, reach), one=True)
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
        self, number: int, x: Tensor, rotation: tuple[Tensor, Tensor], *, one: bool = False
    ) -> tuple[Tensor, Tensor, Tensor]:
        shape, prefix = self.model.shape, f"layers.{number}"
        weights = self.weights[f"{prefix}.input_layernorm.weight"], self.weights[f"{prefix}.qkv"]
        heads = shape.num_attention_heads, shape.num_key_value_heads
        project = self._one_before if one else before_attention
        return project(x, *weights, *rotation, heads, shape.rms_norm_eps)

    def _after_attention(self, number: int, x: Tensor, out: Tensor, *, one: bool = False) -> Tensor:
        prefix = f"layers.{number}"
        names = ("self_attn.o_proj.weight", "post_attention_layernorm.weight", "gate_up", "mlp.down_proj.weight")
        finish = self._one_after if one else after_attention
        return finish(x, out, *(self.weights[f"{prefix}.{name}"] for name in names), self.model.shape.rms_norm_eps)

    def _choose(self, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """A token for each hidden state, and its log-probability at the temperature (0 takes the most probable)."""
        last = normed(hidden, self.weights["norm.weight"], self.model.shape.rms_norm_eps)
        logits = F.linear(last, self.weights["embed_tokens.weight"]).float()
        surprise = torch.empty_like(logits).exponential_().log_()
        chosen = torch.addcmul(logits, surprise, self.heat, value=-1).argmax(-1)
        heated = logits / self.heat.clamp(min=COLDEST)
        return chosen, heated.gather(-1, chosen[:, None])[:, 0] - heated.logsumexp(-1)


def normed(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    return F.rms_norm(x, (x.shape[-1],), weight, eps)


def before_attention(
    x: Tensor, norm: Tensor, qkv: Tensor, cos: Tensor, sin: Tensor, heads: tuple[int, int], eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values of a layer, each (rows, heads, tokens, size); `heads` of queries and of keys."""
    queries, keys = heads
    projected = F.linear(normed(x, norm, eps), qkv).unflatten(2, (queries + 2 * keys, -1)).transpose(1, 2)
    turned = rotate(projected[:, : queries + keys], (cos, sin))
    return turned[:, :queries], turned[:, queries:], projected[:, queries + keys :]


def after_attention(
    x: Tensor, out: Tensor, o_proj: Tensor, norm: Tensor, gate_up: Tensor, down: Tensor, eps: float
) -> Tensor:
    """The layer's output, from its input and what its attention found."""
    x = x + F.linear(out.transpose(1, 2).flatten(2), o_proj)
    gate, up = F.linear(normed(x, norm, eps), gate_up).chunk(2, dim=-1)
    return x + F.linear(F.silu(gate) * up, down)
