"""Small catalogues and packages, made for tests as the real ones are made."""

import io
import tarfile
import zipfile
from dataclasses import dataclass, field

# A box with a nose: x from -1 to 1, y from 0 to 2, z from -1 to 1, a nose to z = 3 and an ear to x = 2 (its left).
POINTS = """
v -1 0 -1
v 1 0 -1
v 1 0 1
v -1 0 1
v -1 2 -1
v 1 2 -1
v 1 2 1
v -1 2 1
v 0 1 3
v 2 1 0
"""
FACES = """
f 1 2 3 4
f 8 7 6 5
f 1 5 6 2
f 2 6 7 3
f 3 7 8 4
f 4 8 5 1
usemtl nose
f 4 3 9
f 2 3 10
"""
BOX = f"mtllib box.mtl\n{POINTS}usemtl body\n{FACES}"
MATERIALS = "newmtl body\nKd 1 0 0\nKs 0.5 0.5 0.5\nNs 96\nnewmtl nose\nKd 0 0 1\nd 0.3\n"


@dataclass(frozen=True)
class TinyModel:
    folder: str
    obj: str = BOX
    files: dict[str, bytes] = field(default_factory=lambda: {"box.mtl": MATERIALS.encode()})
    size: tuple[float, float, float] = (30, 40, 20)
    """Width, depth, height in centimetres."""
    more: str = ""
    """Further lines of properties, with `#N` for the number."""


def sh3f(*models: TinyModel, licence: str = "Creative Commons Attribution 3.0 license") -> bytes:
    lines = ["# a catalogue", f"license={licence}", "not a property"]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number, model in enumerate(models, 1):
            lines += [
                f"name#{number}=Thing {number}",
                f"model#{number}=/{model.folder}/thing.obj",
                f"creator#{number}=Maker {number}",
                *(f"{w}#{number}={v}" for w, v in zip(("width", "depth", "height"), model.size, strict=True)),
                model.more.replace("#N", f"#{number}"),
            ]
            archive.writestr(f"{model.folder}/thing.obj", model.obj)
            for name, content in model.files.items():
                archive.writestr(f"{model.folder}/{name}", content)
        archive.writestr("PluginFurnitureCatalog.properties", "\n".join(lines).encode("latin-1"))
    return out.getvalue()


def deb(files: dict[str, bytes]) -> bytes:
    """A package: an `ar` archive of a version, an empty control file, and a tar of the files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as tar:
        link = tarfile.TarInfo("./usr/share/Linked.sh3f")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/hostname"
        tar.addfile(link)
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    parts = {"debian-binary": b"2.0\n", "control.tar.xz": b"odd", "data.tar.xz": packed.getvalue()}
    return b"!<arch>\n" + b"".join(_member(name, content) for name, content in parts.items())


def _member(name: str, content: bytes) -> bytes:
    head = f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode()
    return head + content + b"\n" * (len(content) % 2)
