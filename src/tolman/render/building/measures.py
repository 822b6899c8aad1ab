"""How a room is built, in metres. One cell is one metre."""

CEILING = 2.6
WALL = 0.1
"""Thickness of a wall. It stands in the middle of the cells between rooms: rooms are wider than their floor cells.
Thin, so that who stands in a doorway sees what is beside the wall, one cell off and up to seven cells along it."""
DOOR_WIDTH, DOOR_HEIGHT = 0.9, 2.05
FRAME = 0.07
SKIRTING_HEIGHT, SKIRTING_DEPTH = 0.09, 0.015
WINDOW_SILL, WINDOW_TOP = 0.85, 2.15
EYE = 0.8
"""Height of a camera, as published."""
