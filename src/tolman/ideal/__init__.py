"""The ideal observer: what follows from the observations in a history, and the best map and answers given it."""
