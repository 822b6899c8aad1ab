"""Replay of one scene as a page: step through what the agent did, said and could have known."""
