"""Placing and rendering source, target, human and camera."""
