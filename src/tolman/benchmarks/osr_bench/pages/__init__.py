"""The report on OSR-Bench: which tables and which figures stand on which tab, and a page for each scene."""
