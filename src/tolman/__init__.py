"""Tolman measures spatial cognition in foundation models."""

__version__ = "0.1.0"
