"""Probe heads on frozen tokens. One module is one head, has its name, and registers itself."""
