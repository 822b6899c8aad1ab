"""The renderer: meshes and a camera go in; light, depth, normals and ids come out. Mitsuba lives here only."""
