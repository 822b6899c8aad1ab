"""Theory of Space: can an agent explore on purpose, state its map, revise it when the world changes, and use it?"""
