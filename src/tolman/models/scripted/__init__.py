"""Scripted agents that take the part of a language model: they read what it reads and write what it would write."""
