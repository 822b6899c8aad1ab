"""The furniture pack: assets of the Debian package `sweethome3d-furniture`, converted once into a small cache."""
