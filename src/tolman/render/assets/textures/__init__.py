"""The texture pack: finishes and skies out of packages, treated as archives of data."""
