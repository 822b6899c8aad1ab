# Two commands matter: `make demo` and `make test`. Both set up .venv first; nothing but Python is needed beforehand.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Tests start many programs, which load faster from byte code.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo render-demo test lint types unit slow benchmark integrations browser wheel-test docs clean

SCRIPTED := random scout strategist planner oracle

demo: $(VENV)/installed
	@for model in $(SCRIPTED); do \
	  mode=active; test $$model != strategist || mode=active,passive; \
	  echo "tolman/$$model explores, answers and revises in 10 scenes ..."; \
	  $(BIN)/tolman eval theory-of-space --model tolman/$$model --mode $$mode --scenes 0-9 \
	    --log-dir out/demo/$$model --display none --no-tables || exit 1; \
	done
	$(BIN)/tolman show $(SCRIPTED:%=out/demo/%) --json out/demo/numbers.json --force
	$(BIN)/tolman scene 7 --png out/demo/scene-7.png --force > out/demo/scene-7.txt
	$(BIN)/tolman report $(SCRIPTED:%=out/demo/%) --out out/demo/report
	@echo "Logs and numbers are in out/demo. The report: out/demo/report/index.html. Conversations: $(BIN)/inspect view --log-dir out/demo/scout"

# One scene's views with ids and depth, panoramas, a view from above, and a page to look through them.
render-demo: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[render]"
	$(BIN)/tolman render --scenes 7 --out out/render-demo

# Types are checked while tests run: each alone leaves part of two cores idle.
test: lint
	$(MAKE) --jobs 2 types unit

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo

types: $(VENV)/installed-dev
	$(BIN)/basedpyright

unit: $(VENV)/installed-dev browser
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder

slow: $(VENV)/installed-dev browser
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder --slow

# Tests of pages need a Chromium. Where there is none, it is installed if that is allowed here; else they are skipped.
browser:
	@command -v chromium chromium-browser google-chrome google-chrome-stable > /dev/null \
	  || { test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } \
	  || echo "No Chromium, so tests of pages will be skipped: install one with your package manager."

benchmark: $(VENV)/installed-dev
	$(BIN)/python benchmarks/text_world.py
	$(BIN)/python benchmarks/questions.py
	$(BIN)/python benchmarks/harness.py
	$(BIN)/python benchmarks/report.py
	$(BIN)/python benchmarks/render.py

# Every export in the real library that it is for (VLMEvalKit, lmms-eval, datasets, mlcroissant, Inspect), and the training environments in the
# real trainers (TRL, OpenEnv), each in an environment of its own.
integrations: $(VENV)/installed-dev
	$(BIN)/python integrations/run.py
	$(BIN)/python integrations/environments.py

# The wheel in a clean virtual environment: versions, extras, explore, eval, report. A minute or two, most of it pip's.
wheel-test:
	PYTHON=$(PYTHON) tests/wheel_install.sh

# The documentation as a site in out/docs, from an environment of its own.
docs: $(VENV)-docs/installed
	$(VENV)-docs/bin/python docs/prepare_site.py
	$(VENV)-docs/bin/zensical build --clean --strict
	@echo "The site is in out/docs. With search: $(PYTHON) -m http.server --bind 127.0.0.1 --directory out/docs"

$(VENV)-docs/installed:
	$(PYTHON) -m venv $(VENV)-docs
	$(VENV)-docs/bin/python -m pip install --quiet --disable-pip-version-check "zensical>=0.0.70,<0.1" "mkdocstrings-python>=2,<3"
	touch $@

$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $@

clean:
	rm -rf $(VENV) $(VENV)-docs .integrations out .pytest_cache .ruff_cache .hypothesis build dist
