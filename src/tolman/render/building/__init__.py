"""Meshes of a scene or space: walls, floors, ceilings, doors, windows, lights, and the things in it."""
