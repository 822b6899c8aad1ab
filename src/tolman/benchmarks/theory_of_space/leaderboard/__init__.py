"""Leaderboard of Theory of Space: entries hold every reply, and every score is recomputed from them."""
