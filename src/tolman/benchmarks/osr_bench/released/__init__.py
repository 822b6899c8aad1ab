"""The authors' released scenes and results."""
