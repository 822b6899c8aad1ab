"""Shapes in three dimensions: meshes with materials, in metres, z up."""
