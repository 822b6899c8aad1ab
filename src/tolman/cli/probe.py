"""The door to `tolman probe`: it says what is missing where torch is not installed."""

from importlib.util import find_spec

from tolman.errors import SettingsError

if find_spec("torch") is None:
    raise SettingsError("probing needs torch, transformers and safetensors: pip install 'tolman[probing]'")

from tolman.cli.probing import probe_app

__all__ = ["probe_app"]
