"""A Llama in plain torch, for training on packed conversations and for fast roll-outs.

It loads and saves checkpoints of transformers (safetensors), so what is trained here is evaluated with
`tolman eval theory-of-space --model local/FOLDER`. Training computes whole conversations packed into rows with one
attention mask; a roll-out keeps keys and values of many conversations in a fixed memory and replays a CUDA graph for
each token.
"""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.attention.flex_attention import BlockMask, flex_attention

BLOCK = 128
"""Tokens in a block of the attention mask."""
CHUNK = 256
"""Tokens whose attention is computed at once without a GPU."""
TARGETS = 2048
"""Targets whose probabilities are computed at once."""
ATTENTION: dict[str, int] = {
    f"{part}{size}": 64
    for part, sizes in (("fwd_", ("BLOCK_M", "BLOCK_N")), ("bwd_", ("BLOCK_M1", "BLOCK_N1", "BLOCK_M2", "BLOCK_N2")))
    for size in sizes
} | {"fwd_num_warps": 4, "fwd_num_stages": 3, "bwd_num_warps": 4, "bwd_num_stages": 3}
"""Tiles of the attention kernel: of eight settings the fastest on an H200 (4.8 ms a layer, 6.8 with the defaults)."""
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "special_tokens_map.json")


@dataclass(frozen=True)
class Shape:
    """The sizes in a config.json of transformers' Llama."""

    vocab_size: int
    hidden_size: int
    intermediate_size: int
    num_hidden_layers: int
    num_attention_heads: int
    num_key_value_heads: int
    rms_norm_eps: float
    rope_theta: float

    @classmethod
    def of(cls, config: dict) -> "Shape":
        theta = config.get("rope_theta") or config["rope_parameters"]["rope_theta"]
        fields = {name: config[name] for name in cls.__dataclass_fields__ if name != "rope_theta"}
        return cls(**fields, rope_theta=theta)

    @property
    def head(self) -> int:
        return self.hidden_size // self.num_attention_heads


class Norm(nn.Module):
    def __init__(self, size: int, eps: float) -> None:
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(size)), eps

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, (x.shape[-1],), self.weight.to(x.dtype), self.eps)


class Attention(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads, self.kv_heads, self.size = shape.num_attention_heads, shape.num_key_value_heads, shape.head
        self.q_proj = nn.Linear(shape.hidden_size, self.heads * self.size, bias=False)
        self.k_proj = nn.Linear(shape.hidden_size, self.kv_heads * self.size, bias=False)
        self.v_proj = nn.Linear(shape.hidden_size, self.kv_heads * self.size, bias=False)
        self.o_proj = nn.Linear(self.heads * self.size, shape.hidden_size, bias=False)

    def project(self, x: Tensor, rotation: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values, each (batch, heads, tokens, size)."""
        batch, tokens, _ = x.shape
        q = self.q_proj(x).view(batch, tokens, self.heads, self.size).transpose(1, 2)
        k = self.k_proj(x).view(batch, tokens, self.kv_heads, self.size).transpose(1, 2)
        v = self.v_proj(x).view(batch, tokens, self.kv_heads, self.size).transpose(1, 2)
        return rotate(q, rotation), rotate(k, rotation), v

    def forward(self, x: Tensor, rotation: tuple[Tensor, Tensor], mask: "PackedMask") -> Tensor:
        q, k, v = self.project(x, rotation)
        if isinstance(mask, BlockMask):
            out = flex_attention(q, k, v, block_mask=mask, enable_gqa=True, kernel_options=ATTENTION)
        else:
            groups = self.heads // self.kv_heads
            out = AttentionByPart.apply(q, k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1), mask)
        return self.o_proj(out.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.input_layernorm = Norm(shape.hidden_size, shape.rms_norm_eps)
        self.self_attn = Attention(shape)
        self.post_attention_layernorm = Norm(shape.hidden_size, shape.rms_norm_eps)
        self.mlp = nn.ModuleDict(
            {
                "gate_proj": nn.Linear(shape.hidden_size, shape.intermediate_size, bias=False),
                "up_proj": nn.Linear(shape.hidden_size, shape.intermediate_size, bias=False),
                "down_proj": nn.Linear(shape.intermediate_size, shape.hidden_size, bias=False),
            }
        )

    def feed_forward(self, x: Tensor) -> Tensor:
        h = self.post_attention_layernorm(x)
        return x + self.mlp["down_proj"](F.silu(self.mlp["gate_proj"](h)) * self.mlp["up_proj"](h))

    def forward(self, x: Tensor, rotation: tuple[Tensor, Tensor], mask: "PackedMask") -> Tensor:
        return self.feed_forward(x + self.self_attn(self.input_layernorm(x), rotation, mask))


class Llama(nn.Module):
    """A Llama with tied embeddings. Parameters have the names of transformers' LlamaForCausalLM."""

    def __init__(self, config: dict) -> None:
        super().__init__()
        self.config, self.shape = config, Shape.of(config)
        self.dtype = torch.float32
        """In which it computes; weights are in float32."""
        self.embed_tokens = nn.Embedding(self.shape.vocab_size, self.shape.hidden_size)
        self.layers = nn.ModuleList(Layer(self.shape) for _ in range(self.shape.num_hidden_layers))
        self.norm = Norm(self.shape.hidden_size, self.shape.rms_norm_eps)

    def rotation(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Cosines and sines of rotary embeddings, (batch, 1, tokens, size)."""
        size = self.shape.head
        steps = torch.arange(0, size, 2, device=positions.device, dtype=torch.float32) / size
        angles = positions[:, None, :, None].float() * (self.shape.rope_theta**-steps)
        angles = torch.cat((angles, angles), dim=-1)
        return angles.cos(), angles.sin()

    def hidden(self, tokens: Tensor, positions: Tensor, mask: "PackedMask") -> Tensor:
        """Last hidden states of packed rows, (rows, tokens, hidden size)."""
        x = F.embedding(tokens, self.embed_tokens.weight).to(self.dtype)
        cos, sin = (each.to(self.dtype) for each in self.rotation(positions))
        for layer in self.layers:
            x = layer(x, (cos, sin), mask)
        return self.norm(x)

    def log_probabilities(self, hidden: Tensor, targets: Tensor, temperature: float = 1.0) -> Tensor:
        """Log-probability of each target given its hidden state; in chunks of one size, so that they compile once."""
        count = len(targets)
        missing = -count % TARGETS
        hidden, targets = F.pad(hidden, (0, 0, 0, missing)), F.pad(targets, (0, missing))
        weight = self.embed_tokens.weight.to(hidden.dtype)
        chunks = zip(hidden.split(TARGETS), targets.split(TARGETS), strict=True)
        return torch.cat([self.chunk(h, weight, t, temperature) for h, t in chunks])[:count]

    def chunk(self, hidden: Tensor, weight: Tensor, targets: Tensor, temperature: float) -> Tensor:
        """Log-probabilities of one chunk; replaced by its compiled form where a GPU trains."""
        logits = F.linear(hidden, weight).float()
        if temperature != 1:
            logits = logits / temperature
        return -F.cross_entropy(logits, targets.long(), reduction="none")

    # ---- files ----

    @classmethod
    def load(cls, folder: Path, device: str, precision: str | None = None) -> "Llama":
        """A checkpoint with weights in float32. It computes in `precision`: bfloat16 on a GPU, else float32."""
        model = cls(json.loads((folder / "config.json").read_text()))
        model.dtype = getattr(torch, precision or ("bfloat16" if device == "cuda" else "float32"))
        stored = {name.removeprefix("model."): value for name, value in load_file(folder / "model.safetensors").items()}
        stored.pop("lm_head.weight", None)
        model.load_state_dict({name: value.float() for name, value in stored.items()})
        return model.to(device)

    def save(self, folder: Path, tokenizer_from: Path) -> None:
        """A checkpoint that transformers loads, with the tokenizer of `tokenizer_from`."""
        folder.mkdir(parents=True, exist_ok=True)
        weights = {f"model.{name}": value.to(torch.bfloat16).contiguous() for name, value in self.state_dict().items()}
        save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
        (folder / "config.json").write_text(json.dumps({**self.config, "dtype": "bfloat16"}, indent=2))
        for name in (*TOKENIZER_FILES, "generation_config.json"):
            if (tokenizer_from / name).exists() and tokenizer_from != folder:
                shutil.copy(tokenizer_from / name, folder / name)


def rotate(x: Tensor, rotation: tuple[Tensor, Tensor]) -> Tensor:
    cos, sin = rotation
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-second, first), dim=-1) * sin


@dataclass(frozen=True)
class Part:
    """Tokens of a row that follow each other, trunk or branch of one conversation, and what they attend to."""

    row: int
    begin: int
    end: int
    before: tuple[slice, ...]
    """What all of them attend to besides themselves: the common beginning, and the trunk that a branch left."""

    def taken(self, x: Tensor) -> Tensor:
        """What they attend to, and themselves, in the order of the conversation; `x` is (rows, heads, tokens, size)."""
        return torch.cat([x[self.row, :, each] for each in self._attended], dim=1)

    def give_back(self, to: Tensor, gradient: Tensor) -> None:
        """Add the gradient of what was taken."""
        begin = 0
        for each in self._attended:
            end = begin + each.stop - each.start
            to[self.row, :, each] += gradient[:, begin:end]
            begin = end

    @property
    def _attended(self) -> tuple[slice, ...]:
        return (*self.before, slice(self.begin, self.end))

    def chunks(self) -> Iterator[tuple[slice, int]]:
        """Places in the row, with how many tokens of the conversation are before them."""
        before = sum(each.stop - each.start for each in self.before)
        for begin in range(self.begin, self.end, CHUNK):
            yield slice(begin, min(begin + CHUNK, self.end)), before + begin - self.begin


PackedMask = BlockMask | Sequence[Part]
"""Which places of packed rows each token attends to: blocks on a GPU, else part by part."""


def packed_mask(shared: Tensor, trunk: Tensor, fork: Tensor, own: Tensor) -> PackedMask:
    """Which places of packed rows each token attends to; all arguments are (rows, tokens).

    Those before `shared`, those from `trunk` to before `fork`, and those from `own` to itself: three ranges that have
    nothing in common. All that is looked up belongs to the token that attends, so a kernel loads it once.
    """
    if own.device.type != "cuda":
        return list(_parts(shared.tolist(), trunk.tolist(), fork.tolist(), own.tolist()))

    def attends(row: Tensor, _head: Tensor, q: Tensor, k: Tensor) -> Tensor:
        of_trunk = (k >= trunk[row, q]) & (k < fork[row, q])
        return ((k >= own[row, q]) & (k <= q)) | (k < shared[row, q]) | of_trunk

    return _block_mask(attended_per_block(shared, trunk, fork, own), attends)


Table = list[list[int]]


def _parts(shared: Table, trunk: Table, fork: Table, own: Table) -> Iterator[Part]:
    """The parts of each row; its empty places, each of which begins with itself, are one part."""
    for row, begins in enumerate(own):
        filled = next((n for n in range(len(begins), 0, -1) if begins[n - 1] != n - 1), 0)
        begin = 0
        while begin < len(begins):
            after = (n for n in range(begin + 1, filled) if begins[n] != begins[begin])
            end = next(after, filled if begin < filled else len(begins))
            ranges = (0, shared[row][begin]), (trunk[row][begin], fork[row][begin])
            yield Part(row, begin, end, tuple(slice(low, high) for low, high in ranges if low < high))
            begin = end


class AttentionByPart(torch.autograd.Function):
    """Attention of each part, chunk by chunk, so that a processor's cache holds the scores of a chunk."""

    @staticmethod
    def forward(ctx, q: Tensor, k: Tensor, v: Tensor, parts: Sequence[Part]) -> Tensor:
        out, shares = torch.empty_like(q), []
        stairs, scale = _stairs(q.shape[2], q.dtype), q.shape[-1] ** -0.5
        for part in parts:
            keys, values = part.taken(k), part.taken(v)
            for asking, known in part.chunks():
                seen = known + asking.stop - asking.start
                mask = stairs[: seen - known, q.shape[2] - known : q.shape[2] + seen - known]
                scores = torch.baddbmm(mask, q[part.row, :, asking], keys[:, :seen].transpose(1, 2), alpha=scale)
                shares.append(scores.softmax(-1))
                out[part.row, :, asking] = torch.bmm(shares[-1], values[:, :seen])
        ctx.save_for_backward(q, k, v, *shares)
        ctx.parts = parts
        return out

    @staticmethod
    def backward(ctx, given: Tensor) -> tuple[Tensor | None, ...]:
        q, k, v, *shares = ctx.saved_tensors
        scale, share = q.shape[-1] ** -0.5, iter(shares)
        dq, dk, dv = torch.empty_like(q), torch.zeros_like(k), torch.zeros_like(v)
        for part in ctx.parts:
            keys, values = part.taken(k), part.taken(v)
            dkeys, dvalues = torch.zeros_like(keys), torch.zeros_like(values)
            for asking, _ in part.chunks():
                p, own = next(share), given[part.row, :, asking]
                seen = p.shape[2]
                dvalues[:, :seen].baddbmm_(p.transpose(1, 2), own)
                dp = torch.bmm(own, values[:, :seen].transpose(1, 2))
                ds = torch._softmax_backward_data(dp, p, -1, p.dtype)
                dq[part.row, :, asking] = torch.bmm(ds, keys[:, :seen]) * scale
                dkeys[:, :seen].baddbmm_(ds.transpose(1, 2), q[part.row, :, asking], alpha=scale)
            part.give_back(dk, dkeys)
            part.give_back(dv, dvalues)
        return dq, dk, dv, None


@cache
def _stairs(tokens: int, dtype: torch.dtype) -> Tensor:
    """What is added to scores: the first of a chunk attends to `tokens` places and itself, each other to one more."""
    return torch.full((CHUNK, tokens + CHUNK), float("-inf"), dtype=dtype).triu(tokens + 1)


def attended_per_block(shared: Tensor, trunk: Tensor, fork: Tensor, own: Tensor) -> Tensor:
    """How many pairs of tokens attend in each pair of blocks: (rows, blocks of queries, blocks of keys).

    Counted by the ends of the ranges, which takes a thousandth of the work of looking at every pair.
    """
    rows, tokens = own.shape
    begin = torch.arange(0, tokens, BLOCK, device=own.device)
    after = torch.arange(1, tokens + 1, device=own.device).expand(rows, -1)
    counts = torch.zeros(rows, tokens, len(begin), dtype=torch.long, device=own.device)
    for low, high in ((torch.zeros_like(shared), shared), (trunk, fork), (own, after)):
        counts += (high[..., None].clamp(max=begin + BLOCK) - low[..., None].clamp(min=begin)).clamp(min=0)
    return counts.unflatten(1, (-1, BLOCK)).sum(2)


def _block_mask(counts: Tensor, attends: Callable[..., Tensor]) -> BlockMask:
    full = counts == BLOCK * BLOCK
    arguments: list[Tensor] = []
    for kind in ((counts > 0) & ~full, full):
        found = kind[:, None].int()
        arguments += [found.sum(-1, dtype=torch.int32), torch.argsort(found, descending=True, stable=True).int()]
    return BlockMask.from_kv_blocks(*arguments, BLOCK_SIZE=BLOCK, mask_mod=attends)
