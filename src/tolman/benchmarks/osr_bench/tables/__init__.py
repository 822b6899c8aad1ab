"""The tables of OSR-Bench, from logs and nothing else."""
