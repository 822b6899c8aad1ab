"""The tables of models that were asked about pictures of SpaRRTa, computed from logs alone."""
