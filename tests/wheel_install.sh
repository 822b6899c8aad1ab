#!/bin/sh
# Build the wheel, install it into a new virtual environment, and use it there as a new user would: `make wheel-test`.
# PYTHON names the interpreter. Nothing of the checkout is on the path of the installed package.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python=${PYTHON:-python3}
"$python" -m venv "$work/build"
"$work/build/bin/python" -m pip install --quiet --disable-pip-version-check build
"$work/build/bin/python" -m build --wheel --outdir "$work/dist" "$here" > "$work/build.log" || { cat "$work/build.log"; exit 1; }

"$python" -m venv "$work/clean"
bin="$work/clean/bin"
"$bin/python" -m pip install --quiet --disable-pip-version-check -c "$here/constraints.txt" "$work"/dist/*.whl
base=$(du -sm "$work"/clean/lib/python*/site-packages | cut -f1)
cd "$work"

echo "wheel: $(du -k dist/*.whl | cut -f1) kB; base install: $base MB"
"$bin/python" -m pip check
test "tolman $("$bin/tolman" --version)" = "tolman $("$bin/python" -c 'import tolman; print(tolman.__version__)')"
"$bin/python" - "$work" << 'PYTHON'
import sys, tolman
assert tolman.__file__.startswith(sys.argv[1]), f"not the installed package: {tolman.__file__}"
PYTHON
for extra in local render export trl openenv notebook cluster probing; do
  "$bin/python" - "$extra" << 'PYTHON'
import sys
from importlib.metadata import metadata
assert sys.argv[1] in metadata("tolman").get_all("Provides-Extra"), f"the extra {sys.argv[1]} is documented, and not in the wheel"
PYTHON
done
"$bin/tolman" explore --agent planner --scenes 0-1 --workers 1 | grep planner
"$bin/tolman" eval theory-of-space --model tolman/scout --scenes 0 --mode active --log-dir logs --display none > tables.txt
grep -m 1 "tolman/scout" tables.txt
"$bin/tolman" report logs --out report
test -s report/index.html
"$bin/tolman" scene 7 --png scene.png > scene.txt
test -s scene.png
"$bin/python" -c 'from importlib.metadata import entry_points; [one.load() for one in entry_points(group="inspect_ai", name="tolman")][0]'
! "$bin/tolman" render --scenes 0 --out pictures 2> told || { echo "render needs its extra"; exit 1; }
grep -F "tolman[render]" told
echo "The wheel installs and runs."
