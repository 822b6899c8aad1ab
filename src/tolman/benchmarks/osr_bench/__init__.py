"""OSR-Bench: can a model build a map from one panorama and reason on it without hallucinating objects?"""
