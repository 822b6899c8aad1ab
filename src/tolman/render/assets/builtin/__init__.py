"""Models written by us: one file for each family of things, one function for each kind."""
