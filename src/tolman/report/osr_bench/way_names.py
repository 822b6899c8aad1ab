"""Ways to ask, in words."""

from tolman.report.osr_bench.osr_logs import Way

IN_HAND = {"first": "own map", "none": "no map", "true": "true map"}


def way_title(way: Way) -> str:
    """Such as `Standard questions, own map, vanilla`."""
    return f"{way.asked.capitalize()} questions, {IN_HAND[way.mode]}, {'think' if way.think else 'vanilla'}"


def way_name(way: Way) -> str:
    """A plain name for addresses, such as `standard-first-plain`."""
    return f"{way.asked}-{way.mode}-{'think' if way.think else 'plain'}"
