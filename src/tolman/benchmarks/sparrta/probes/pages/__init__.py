"""The report on probes of SpaRRTa: which tables and which figures stand on which tab."""
