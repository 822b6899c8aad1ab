"""The ray tracer: light, depth, normals and ids from meshes and a camera. Mitsuba is imported here only."""
