"""Encoders: adapters for networks that others made, and some that need no hub."""
