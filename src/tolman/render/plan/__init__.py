"""Scenes drawn from above: a map in characters and a floor plan."""
