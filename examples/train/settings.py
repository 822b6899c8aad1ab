"""Defaults of the scripts' options, from one file: `config.toml` has a table for each script."""

import argparse
import tomllib
from pathlib import Path


def read_options(parser: argparse.ArgumentParser, table: str, given: list[str] | None = None) -> argparse.Namespace:
    """Options of a script. What is given on the command line goes before the file of `--config`."""
    parser.add_argument("--config", type=Path, help="file with a table of defaults for each script")
    only = argparse.ArgumentParser(add_help=False)
    only.add_argument("--config", type=Path)
    first, _ = only.parse_known_args(given)
    if first.config:
        chosen = tomllib.loads(first.config.read_text()).get(table, {})
        known = {action.dest: action for action in parser._actions}
        unknown = sorted(set(chosen) - set(known))
        if unknown:
            raise SystemExit(f"{first.config}: there is no option {unknown[0]!r} of {table}")
        parser.set_defaults(**{name: (known[name].type or str)(value) for name, value in chosen.items()})
        for name in chosen:
            known[name].required = False
    return parser.parse_args(given)
