"""Makes README.md and the metadata of the package fit for an index, which has no files beside them: relative links and
pictures become absolute, and the repository is named. The release workflow calls it before it builds the wheel:

    python docs/absolute_links.py https://HOST/OWNER/NAME v0.1.0
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
_LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^)\s]+)\)")
_CODE = re.compile(r"(^```.*?^```)", re.DOTALL | re.MULTILINE)


def absolute(text: str, repository: str, version: str) -> str:
    """A page with absolute links: pictures as they are, everything else as the repository shows it."""

    def link(found: "re.Match[str]") -> str:
        words, target = found.groups()
        if "://" in target or target.startswith(("#", "mailto:")):
            return found[0]
        kind = "raw" if words.startswith("!") else "tree" if (ROOT / target.partition("#")[0]).is_dir() else "blob"
        return f"{words}({repository}/{kind}/{version}/{target})"

    return "".join(part if part.startswith("```") else _LINK.sub(link, part) for part in _CODE.split(text))


def with_repository(project: str, repository: str) -> str:
    """pyproject.toml with the addresses of the repository among `project.urls`."""
    places = {"Repository": "", "Issues": "/issues", "Changes": "/blob/HEAD/CHANGELOG.md"}
    lines = "".join(f'{name} = "{repository}{place}"\n' for name, place in places.items())
    return project.replace("[project.urls]\n", f"[project.urls]\n{lines}", 1)


if __name__ == "__main__":
    address, tag = sys.argv[1].rstrip("/"), sys.argv[2]
    readme, project = ROOT / "README.md", ROOT / "pyproject.toml"
    readme.write_text(absolute(readme.read_text(encoding="utf-8"), address, tag), encoding="utf-8")
    project.write_text(with_repository(project.read_text(encoding="utf-8"), address), encoding="utf-8")
