"""Which calls the protocol makes in a scene: a record must hold a reply to each of them, and to nothing else."""

import math
from collections import Counter
from collections.abc import Iterator

from tolman.benchmarks.theory_of_space.at_once import explorers_log, live_at_once
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.report.leaderboard.entry import LONGEST_REPLY, MOST_CALLS


def record_faults(logged: ScoredCase, *, whole: bool) -> Iterator[str]:
    """What is wrong with a record, line by line. It need not be `whole` where a replay may lack a reply."""
    calls = logged.record.calls
    if len(calls) > MOST_CALLS:
        yield f"{len(calls)} replies, and {MOST_CALLS} is the most"
        return
    for call in calls:
        if max(len(call.reply), len(call.reasoning)) > LONGEST_REPLY or len(call.name) > 200:
            yield f"{call.name[:60]}: longer than any reply may be"
            return
        if min(call.input_tokens, call.output_tokens, call.reasoning_tokens) < 0 or not _is_price(call.cost):
            yield f"{call.name}: its tokens or its price can't be"
    for name, times in Counter(call.name for call in calls).items():
        if times > 1:
            yield f"{name}: {times} replies to one call"
    yield from _against_protocol(logged, whole=whole)


def _is_price(cost: float | None) -> bool:
    return cost is None or (math.isfinite(cost) and cost >= 0)


def _against_protocol(logged: ScoredCase, *, whole: bool) -> Iterator[str]:
    replies = logged.record.replies
    log = explorers_log(logged.case, logged.options)
    if logged.record.log != [str(turn.asked) for turn in (log.turns if log else ())]:
        yield "the log that was read is not the explorer's"
        return
    asked = live_at_once(logged.case, logged.options, lambda call, messages, episode: replies.get(call))  # noqa: ARG005
    for call in asked if whole else ():
        if call not in replies:
            yield f"{call}: there is no reply"
    for call in replies:
        if call not in asked:
            yield f"{call}: a reply to a call that is never made"
