"""Model providers that Inspect does not have: scripted agents, replayed runs, and a local model that needs no key."""
