"""What the package says of itself agrees everywhere: versions, extras, papers, pages of the documentation site."""

import re
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import yaml

from tolman import __version__

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SITE: dict[str, Any] = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
CITATION: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_version_is_the_same_everywhere():
    assert {PROJECT["version"], CITATION["version"]} == {__version__}


def test_papers_have_the_same_addresses_in_the_metadata_the_citation_and_the_readme():
    addresses = {address for address in PROJECT["urls"].values() if "arxiv.org" in address}
    assert addresses == {reference["url"] for reference in CITATION["references"]}
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(
        address in readme and address.rpartition("/")[2] in readme.partition("## Cite")[2] for address in addresses
    )
    for reference in CITATION["references"]:
        assert reference["title"].removeprefix("SpaRRTa") in readme
        for author in reference["authors"]:
            assert _ascii(author["family-names"]) in _ascii(readme), author


def _ascii(text: str) -> str:
    return re.sub(r"\{\\.\{?(\w)\}?\}", r"\1", text).translate(str.maketrans("ńęź", "nez"))


def test_every_extra_that_pages_name_exists():
    named = {
        name
        for page in PAGES
        for found in re.findall(r"(?:tolman|'\.)\[([a-z,]+)\]'", page.read_text(encoding="utf-8"))
        for name in found.split(",")
    }
    assert {"render", "probing", "local"} <= named <= set(PROJECT["optional-dependencies"])


def _pages(nav: list[dict[str, Any]]) -> list[str]:
    return [page for entry in nav for to in entry.values() for page in ([to] if isinstance(to, str) else _pages(to))]


def _script(name: str) -> Any:
    found = spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert found is not None
    assert found.loader is not None
    made = module_from_spec(found)
    found.loader.exec_module(made)
    return made


def test_a_release_has_absolute_links_and_the_address_of_the_repository():
    script, address = _script("absolute_links"), "https://example.org/someone/tolman"
    readme = script.absolute((ROOT / "README.md").read_text(encoding="utf-8"), address, "v1")
    prose = re.sub(r"^```.*?^```", "", readme, flags=re.DOTALL | re.MULTILINE)
    assert all("://" in target or target.startswith("#") for target in re.findall(r"\]\(([^)\s]+)\)", prose))
    assert f"]({address}/raw/v1/docs/pictures/replay.png)" in readme
    assert f"]({address}/blob/v1/docs/install.md)" in readme
    project = tomllib.loads(script.with_repository((ROOT / "pyproject.toml").read_text(encoding="utf-8"), address))
    assert project["project"]["urls"]["Repository"] == address
    assert set(PROJECT["urls"].items()) < set(project["project"]["urls"].items())


def test_every_page_of_the_site_exists_and_links_lead_to_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    site = _script("prepare_site")
    monkeypatch.setattr(site, "PAGES", tmp_path)
    site.write_pages()
    written = {page.relative_to(tmp_path).as_posix() for page in tmp_path.rglob("*.md")}
    assert set(_pages(SITE["nav"])) <= written
    for name in written:
        page = tmp_path / name
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for target in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", re.sub(r"`[^`\n]*`", "", text)):
            assert "://" in target or (page.parent / target).exists(), f"{name}: {target}"
    for module in (module for _, module in site.API.values()):
        place = ROOT / "src" / Path(*module.split("."))
        assert place.with_suffix(".py").is_file() or (place / "__init__.py").is_file(), module
