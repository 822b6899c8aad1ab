"""A report on probes: from cells to pages in a folder that opens in a browser."""

import json
from pathlib import Path

from tolman.report.site import write_page
from tolman.report.site.page import write_figures
from tolman.report.site.place import Place
from tolman.report.sparrta.plain import as_dict
from tolman.report.sparrta.probe_folders import Probes
from tolman.report.sparrta.site.map_gallery import copy_maps
from tolman.report.sparrta.site.probe_page import probe_page
from tolman.report.track import Track


def write_pages(probes: Probes, out: Path, place: Place, command: str, track: Track) -> Path:
    """Write all pages into an open folder, the first one at its place; `command` is what to type to make them again."""
    (out / place.numbers).write_text(json.dumps(as_dict(probes), allow_nan=False) + "\n", encoding="utf-8")
    copy_maps(probes.looked, out)
    page = probe_page(probes, command, place)
    write_page(page, out / place.page)
    write_figures(page, out, track)
    return out / place.page
