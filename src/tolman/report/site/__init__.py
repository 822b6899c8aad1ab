"""A static site that opens from disk: pages with tabs, sortable tables and figures. It knows no benchmark."""

from tolman.report.site.blocks import Block, Code, Gallery, Shot, Strip, Terms, Text
from tolman.report.site.environment import environment
from tolman.report.site.figure import Figure, Panel
from tolman.report.site.page import Page, Tab, write_page
from tolman.report.site.table import Cell, Entry, Head, Row, Table

__all__ = [
    "Block",
    "Cell",
    "Code",
    "Entry",
    "Figure",
    "Gallery",
    "Head",
    "Page",
    "Panel",
    "Row",
    "Shot",
    "Strip",
    "Tab",
    "Table",
    "Terms",
    "Text",
    "environment",
    "write_page",
]
