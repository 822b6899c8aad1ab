"""Attention of one new token per conversation to the keys and values in memory, as a Triton kernel.

Each conversation attends to as many places as it has, not to those of the longest, and the common beginning of all
conversations is read from one row, so that it stays in the GPU's cache. The places of a conversation are divided among
`SPLITS` programs; a second kernel joins what they found.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

SPLITS = 8
BLOCK = 64
"""Places that a program reads at once."""
QUERIES = 16
"""Queries of one key that are computed together; the tensor cores take no fewer."""


@triton.jit
def _attend_part(
    query, keys, values, length, prefix, part, scale,
    heads: tl.constexpr, group: tl.constexpr, size: tl.constexpr, row_stride, head_stride, prefix_row,
    splits: tl.constexpr, block: tl.constexpr, queries: tl.constexpr,
):  # fmt: skip
    """What the queries of one key head of one conversation find in one part of its places, not yet divided by the sum
    of weights; then the largest score, and that sum.
    """
    row, head, split = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    count = tl.load(length + row) + 1
    shared = tl.load(prefix)
    steps = tl.cdiv(count, block * splits)
    begin = split * steps * block
    rows, columns, places = tl.arange(0, queries), tl.arange(0, size), tl.arange(0, block)
    q_place = (row * heads * group + head * group + rows[:, None]) * size + columns[None, :]
    q = tl.load(query + q_place, mask=rows[:, None] < group, other=0.0)
    best = tl.full((queries,), -1.0e30, tl.float32)
    total = tl.zeros((queries,), tl.float32)
    found = tl.zeros((queries, size), tl.float32)
    for step in range(steps):
        place = begin + step * block + places
        inside = place < count
        source = tl.where(place < shared, prefix_row, row).to(tl.int64)
        offset = source * row_stride + head * head_stride + place * size
        k = tl.load(keys + offset[:, None] + columns[None, :], mask=inside[:, None], other=0.0)
        v = tl.load(values + offset[:, None] + columns[None, :], mask=inside[:, None], other=0.0)
        scores = tl.where(inside[None, :], tl.dot(q, tl.trans(k)) * scale, -1.0e30)
        new_best = tl.maximum(best, tl.max(scores, axis=1))
        weights = tl.where(inside[None, :], tl.exp(scores - new_best[:, None]), 0.0)
        shrink = tl.exp(best - new_best)
        total = total * shrink + tl.sum(weights, axis=1)
        found = found * shrink[:, None] + tl.dot(weights.to(v.dtype), v)
        best = new_best
    base = ((row * heads + head) * splits + split) * queries + rows
    tl.store(part + base[:, None] * (size + 2) + columns[None, :], found)
    tl.store(part + base * (size + 2) + size, best)
    tl.store(part + base * (size + 2) + size + 1, total)


@triton.jit
def _join(
    part, out, heads: tl.constexpr, group: tl.constexpr, size: tl.constexpr,
    splits: tl.constexpr, queries: tl.constexpr,
):  # fmt: skip
    """What one query finds, from the parts."""
    row, head, query = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    parts, columns = tl.arange(0, splits), tl.arange(0, size)
    base = (((row * heads + head) * splits + parts) * queries + query) * (size + 2)
    best, total = tl.load(part + base + size), tl.load(part + base + size + 1)
    weight = tl.exp(best - tl.max(best, axis=0))
    found = tl.load(part + base[:, None] + columns[None, :])
    joined = tl.sum(found * weight[:, None], axis=0) / tl.sum(total * weight, axis=0)
    tl.store(out + (row * heads * group + head * group + query) * size + columns, joined.to(out.dtype.element_ty))


def decode_attention(
    q: Tensor, keys: Tensor, values: Tensor, length: Tensor, prefix: Tensor, prefix_row: int
) -> Tensor:
    """What each conversation's queries find: `q` is (rows, query heads, size), the result too.

    `keys` and `values` are the memory of a layer, (all rows, heads, places, size); row `n` of `q` attends to places 0
    to `length[n]`, of which those before `prefix[0]` are read from row `prefix_row`.
    """
    rows, query_heads, size = q.shape
    heads = keys.shape[1]
    group = query_heads // heads
    part = torch.empty((rows, heads, SPLITS, QUERIES, size + 2), dtype=torch.float32, device=q.device)
    out = torch.empty_like(q)
    _attend_part[rows, heads, SPLITS](
        q, keys, values, length, prefix, part, size**-0.5,
        heads, group, size, keys.stride(0), keys.stride(1), prefix_row, SPLITS, BLOCK, QUERIES,
    )  # fmt: skip
    _join[rows, heads, group](part, out, heads, group, size, SPLITS, QUERIES)
    return out
