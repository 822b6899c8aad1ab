"""The published benchmarks, one package each. They never import each other."""
