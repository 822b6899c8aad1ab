"""A leaderboard that trusts nobody: entries hold every reply, and every score is worked out again from them."""
