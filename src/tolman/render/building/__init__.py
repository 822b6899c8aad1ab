"""A scene as a building: walls, floors, ceilings, doors, windows, lights, and the things in it."""
