"""Prepares the pages of the documentation site; `make docs` then builds it with zensical.

The pages are docs/ as it is, the README as the front page, and the public API from docstrings. Links to source files,
which are not part of the site, become plain text.
"""

import re
import shutil
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "out" / "docs-pages"
BESIDE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
"""Files of the checkout's root, and what they are in the site."""
API = {
    "worlds": ("Worlds", "tolman.world"),
    "exploration": ("Exploration", "tolman.explore"),
    "agents": ("Agents", "tolman.explore.agents.registry"),
    "environment": ("Gymnasium environment", "tolman.env.gym"),
    "belief": ("Belief", "tolman.belief"),
    "maps": ("Cognitive maps", "tolman.belief.cognitive_map"),
    "questions": ("Questions", "tolman.ask.kinds.registry"),
    "ideal-observer": ("Ideal observer", "tolman.ideal.best_answer"),
    "benchmark": ("Benchmark protocol", "tolman.harness.benchmark"),
    "tables": ("Tables", "tolman.report.table.value"),
    "statistics": ("Statistics", "tolman.report.statistics"),
    "errors": ("Errors", "tolman.core.errors"),
}
"""Pages of the API reference: title and module."""
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_CODE = re.compile(r"(^```.*?^```)", re.DOTALL | re.MULTILINE)


def page_links(text: str, file: Path) -> str:
    """The text of a page, whose links lead to other pages of the site."""

    def link(found: "re.Match[str]") -> str:
        picture, words, target = found.groups()
        if "://" in target or target.startswith(("#", "mailto:")):
            return found[0]
        path, mark, anchor = target.partition("#")
        place = (file.parent / path).resolve().relative_to(ROOT)
        if str(place) in BESIDE:
            return f"{picture}[{words}]({_up(file)}{BESIDE[str(place)]}{mark}{anchor})"
        if place.parts[0] != "docs":
            return words
        inside = place.relative_to("docs")
        page = inside / "index.md" if (ROOT / place).is_dir() else inside
        return f"{picture}[{words}]({_up(file)}{page.as_posix()}{mark}{anchor})"

    return "".join(part if part.startswith("```") else _LINK.sub(link, part) for part in _CODE.split(text))


def _up(file: Path) -> str:
    """The way from a page to the root of the site."""
    inside = file.relative_to(ROOT / "docs") if file.is_relative_to(ROOT / "docs") else Path(file.name)
    return "../" * (len(inside.parts) - 1)


def write_pages() -> None:
    """Write all pages to `PAGES`, in place of earlier ones."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES, ignore=shutil.ignore_patterns("*.py", "*.md", "__pycache__"))
    for file in (ROOT / "docs").rglob("*.md"):
        _write(file.relative_to(ROOT / "docs"), page_links(file.read_text(encoding="utf-8"), file))
    for name, page in BESIDE.items():
        _write(Path(page), page_links((ROOT / name).read_text(encoding="utf-8"), ROOT / name))
    decisions = sorted((ROOT / "docs" / "design").glob("*.md"))
    titles = [(file.name, file.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")) for file in decisions]
    _write(Path("design/index.md"), "# Decisions\n\n" + "".join(f"- [{title}]({name})\n" for name, title in titles))
    for page, (title, module) in API.items():
        _write(Path("reference") / f"{page}.md", f"# {title}\n\n`{module}`\n\n::: {module}\n")


def _write(page: Path, text: str) -> None:
    (PAGES / page).parent.mkdir(parents=True, exist_ok=True)
    (PAGES / page).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_pages()
