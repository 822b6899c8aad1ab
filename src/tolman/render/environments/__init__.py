"""Procedural outdoor environments: terrain, sky, background and scenery, generated from a seed."""
