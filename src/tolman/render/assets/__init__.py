"""Models of things, from three sources: built-in, the furniture pack, and a folder of the user's own."""
