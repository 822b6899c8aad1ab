"""A report on probes: from cells to pages in a folder that opens in a browser."""

from pathlib import Path

from tolman.report.log_files import Tell
from tolman.report.site import write_page
from tolman.report.site.page import write_numbers
from tolman.report.site.place import Place
from tolman.report.sparrta.plain import as_dict
from tolman.report.sparrta.probe_folders import Probes
from tolman.report.sparrta.site.map_gallery import copy_maps
from tolman.report.sparrta.site.probe_page import probe_page
from tolman.report.track import Track


def write_pages(probes: Probes, out: Path, place: Place, command: str, tell: Tell, track: Track) -> Path:
    """Write all pages into an open folder, the first one at its place; `command` is what to type to make them again."""
    write_numbers(out / place.numbers, lambda of: as_dict(*of), [probes], lambda _: "probes", tell)
    copy_maps(probes.looked, out)
    return write_page(probe_page(probes, command, place), out, place, tell, track)
