"""A Llama in plain torch, for training on packed conversations and for fast roll-outs.

It loads and saves checkpoints of transformers (safetensors), so what is trained here is evaluated with
`tolman eval theory-of-space --model local/FOLDER`. Training computes whole conversations packed into rows with one
attention mask; a roll-out keeps keys and values of many conversations in a fixed memory and replays a CUDA graph for
each token.
"""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
import torch.utils.checkpoint
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.attention.flex_attention import BlockMask, create_block_mask, flex_attention

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

    def forward(self, x: Tensor, rotation: tuple[Tensor, Tensor], mask: "BlockMask | Tensor") -> Tensor:
        q, k, v = self.project(x, rotation)
        if isinstance(mask, BlockMask):
            out = flex_attention(q, k, v, block_mask=mask, enable_gqa=True)
        else:
            out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
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

    def forward(self, x: Tensor, rotation: tuple[Tensor, Tensor], mask: "BlockMask | Tensor") -> Tensor:
        return self.feed_forward(x + self.self_attn(self.input_layernorm(x), rotation, mask))


class Llama(nn.Module):
    """A Llama with tied embeddings. Parameters have the names of transformers' LlamaForCausalLM."""

    def __init__(self, config: dict) -> None:
        super().__init__()
        self.config, self.shape = config, Shape.of(config)
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

    def hidden(self, tokens: Tensor, positions: Tensor, mask: "BlockMask | Tensor") -> Tensor:
        """Last hidden states of packed rows, (rows, tokens, hidden size)."""
        dtype = torch.bfloat16 if tokens.is_cuda else torch.float32
        x = F.embedding(tokens, self.embed_tokens.weight).to(dtype)
        cos, sin = (each.to(dtype) for each in self.rotation(positions))
        for layer in self.layers:
            x = layer(x, (cos, sin), mask)
        return self.norm(x)

    def log_probabilities(self, hidden: Tensor, targets: Tensor, temperature: float = 1.0, chunk: int = 8192) -> Tensor:
        """Log-probability of each target given its hidden state; in chunks, as logits are large."""
        parts = [
            torch.utils.checkpoint.checkpoint(self._chunk, h, t, temperature, use_reentrant=False)
            for h, t in zip(hidden.split(chunk), targets.split(chunk), strict=True)
        ]
        return torch.cat(parts)

    def _chunk(self, hidden: Tensor, targets: Tensor, temperature: float) -> Tensor:
        logits = F.linear(hidden, self.embed_tokens.weight.to(hidden.dtype)).float() / temperature
        return -F.cross_entropy(logits, targets, reduction="none")

    # ---- files ----

    @classmethod
    def load(cls, folder: Path, device: str) -> "Llama":
        """A checkpoint in float32 (master weights; training computes in bfloat16 on a GPU)."""
        model = cls(json.loads((folder / "config.json").read_text()))
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


def packed_mask(document: Tensor, branch: Tensor, fork: Tensor, positions: Tensor) -> "BlockMask | Tensor":
    """Which tokens of packed rows attend to which; all arguments are (rows, tokens).

    A row is a shared prefix (document 0), then documents; a document is a trunk (branch 0) and branches, each of which
    continues the trunk from position `fork` on. A token attends to the prefix, to earlier tokens of its own branch, and
    to the trunk of its document before the fork.
    """

    def attends(row: Tensor, _head: Tensor, q: Tensor, k: Tensor) -> Tensor:
        own = branch[row, q] == branch[row, k]
        trunk = (branch[row, k] == 0) & (positions[row, k] < fork[row, q])
        same = (document[row, q] == document[row, k]) & (own | trunk)
        return (q >= k) & (same | (document[row, k] == 0))

    rows, tokens = document.shape
    if document.device.type == "cuda":
        return create_block_mask(attends, rows, None, tokens, tokens, device=document.device)
    place = torch.arange(tokens, device=document.device)
    row = torch.arange(rows, device=document.device)[:, None, None]
    return attends(row, row, place[None, :, None], place[None, None, :])[:, None]
