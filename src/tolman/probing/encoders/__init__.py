"""Encoders: adapters for published networks, and encoders that need no download from the hub."""
