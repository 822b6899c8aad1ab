"""The command line."""

from tolman.cli.app import main

__all__ = ["main"]
