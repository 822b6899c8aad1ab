"""Rendered pictures as pages to look through."""
