"""Model providers that Inspect lacks: scripted agents, replayed runs, people, and a local model without a key."""
