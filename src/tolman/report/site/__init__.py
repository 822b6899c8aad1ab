"""A static site that opens from disk: pages with tabs, sortable tables and figures. It knows no benchmark."""

from tolman.report.site.blocks import Block as Block
from tolman.report.site.blocks import CaptionedPicture as CaptionedPicture
from tolman.report.site.blocks import Code as Code
from tolman.report.site.blocks import Gallery as Gallery
from tolman.report.site.blocks import Strip as Strip
from tolman.report.site.blocks import Terms as Terms
from tolman.report.site.blocks import Text as Text
from tolman.report.site.figures import Figure as Figure
from tolman.report.site.figures import Panel as Panel
from tolman.report.site.page import Page as Page
from tolman.report.site.page import Tab as Tab
from tolman.report.site.page import environment as environment
from tolman.report.site.page import write_page as write_page
