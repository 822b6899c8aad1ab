"""A static site that opens from disk: pages with tabs, sortable tables and figures. It knows no benchmark."""

from tolman.report.site.blocks import Block, Code, Gallery, Shot, Strip, Terms, Text
from tolman.report.site.environment import environment
from tolman.report.site.figures import Figure, Panel
from tolman.report.site.page import Page, Tab, write_page

__all__ = [
    "Block",
    "Code",
    "Figure",
    "Gallery",
    "Page",
    "Panel",
    "Shot",
    "Strip",
    "Tab",
    "Terms",
    "Text",
    "environment",
    "write_page",
]
