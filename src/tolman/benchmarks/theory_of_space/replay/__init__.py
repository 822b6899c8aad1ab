"""Replay of one scene as a page: the agent's actions, replies and stated maps, turn by turn, beside the evidence."""
