"""Prepares the pages of the documentation site; `make docs` then builds it with zensical.

The pages are docs/ as it is, notebooks with their stored output, the README as the front page, and the public API from
docstrings. Links to source files, which are not part of the site, become plain text.
"""

import base64
import html
import json
import re
import shutil
from pathlib import Path
from typing import Any

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
        page = page.with_suffix(".md") if page.suffix == ".ipynb" else page
        return f"{picture}[{words}]({_up(file)}{page.as_posix()}{mark}{anchor})"

    return "".join(part if part.startswith("```") else _LINK.sub(link, part) for part in _CODE.split(text))


def _up(file: Path) -> str:
    """The way from a page to the root of the site."""
    inside = file.relative_to(ROOT / "docs") if file.is_relative_to(ROOT / "docs") else Path(file.name)
    return "../" * (len(inside.parts) - 1)


def write_pages() -> None:
    """Write all pages to `PAGES`, in place of earlier ones."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES, ignore=shutil.ignore_patterns("*.py", "*.md", "*.ipynb", "__pycache__"))
    for file in (ROOT / "docs").rglob("*.md"):
        _write(file.relative_to(ROOT / "docs"), page_links(file.read_text(encoding="utf-8"), file))
    for file in (ROOT / "docs").rglob("*.ipynb"):
        _write(file.relative_to(ROOT / "docs").with_suffix(".md"), page_links(notebook_page(file), file))
    for name, page in BESIDE.items():
        _write(Path(page), page_links((ROOT / name).read_text(encoding="utf-8"), ROOT / name))
    decisions = sorted((ROOT / "docs" / "design").glob("*.md"))
    titles = [(file.name, file.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")) for file in decisions]
    _write(Path("design/index.md"), "# Decisions\n\n" + "".join(f"- [{title}]({name})\n" for name, title in titles))
    for page, (title, module) in API.items():
        _write(Path("reference") / f"{page}.md", f"# {title}\n\n`{module}`\n\n::: {module}\n")


def notebook_page(file: Path) -> str:
    """A notebook as a page: its texts, its code, and the output that is stored in it; pictures become files."""
    notebook = json.loads(file.read_text(encoding="utf-8"))
    parts: list[str] = []
    for number, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])
        parts.append(f"```python\n{source}\n```" if cell["cell_type"] == "code" else source)
        for place, output in enumerate(cell.get("outputs", ())):
            parts.append(_output(output, file.relative_to(ROOT / "docs"), f"{file.stem}-{number}-{place}"))
    return "\n\n".join(filter(None, parts)) + "\n"


def _output(output: dict[str, Any], page: Path, name: str) -> str:
    """An output of a cell: the richest form that a page can show."""
    data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
    for kind, ending in (("image/svg+xml", "svg"), ("image/png", "png")):
        if kind in data:
            picture = PAGES / page.parent / "pictures" / f"{name}.{ending}"
            picture.parent.mkdir(parents=True, exist_ok=True)
            picture.write_bytes(data[kind].encode() if ending == "svg" else base64.b64decode(data[kind]))
            return f'<p><img alt="Output of the cell above" src="pictures/{picture.name}"></p>'
    if "text/html" in data:
        return re.sub(r"\n\s*\n", "\n", data["text/html"])
    text = "".join(output.get("text", ())) or data.get("text/plain", "")
    return f"<pre>{html.escape(text.rstrip())}</pre>" if text else ""


def _write(page: Path, text: str) -> None:
    (PAGES / page).parent.mkdir(parents=True, exist_ok=True)
    (PAGES / page).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_pages()
