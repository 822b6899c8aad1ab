"""Kinds of question, one file each. Every module here is imported; what is asked by default is `PAPER_KINDS`."""
