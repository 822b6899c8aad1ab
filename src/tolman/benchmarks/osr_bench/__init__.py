"""OSR-Bench: can a model turn one panorama into a map and reason on it, without inventing what is not there?"""
