"""Checks of what a model and its server support: `tolman doctor`."""
