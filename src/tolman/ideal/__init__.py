"""The ideal observer: what follows from what someone was told, and the best they could say."""
