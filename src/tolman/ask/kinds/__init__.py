"""The kinds of question, one file each."""
