"""Leaderboards of all benchmarks: entries hold every reply, and every score is recomputed from them."""
