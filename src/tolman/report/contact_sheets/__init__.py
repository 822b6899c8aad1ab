"""Pages with all pictures of rendered scenes."""
