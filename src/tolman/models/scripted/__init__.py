"""Scripted agents in place of a language model: they parse the same messages and write the same kind of replies."""
