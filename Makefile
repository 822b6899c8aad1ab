# Two commands matter: `make demo` and `make test`. Both set up .venv first; nothing but Python is needed beforehand.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test lint types unit slow benchmark clean

demo: $(VENV)/installed
	$(BIN)/tolman explore --scenes 0-19 --out out/demo.jsonl
	$(BIN)/tolman scene 7 --png out/scene-7.png
	@echo "Rows are in out/demo.jsonl, the floor plan of scene 7 in out/scene-7.png."

test: lint types unit

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo

types: $(VENV)/installed-dev
	$(BIN)/basedpyright

unit: $(VENV)/installed-dev
	$(BIN)/pytest -n 2

slow: $(VENV)/installed-dev
	$(BIN)/pytest -n 2 --slow

benchmark: $(VENV)/installed-dev
	$(BIN)/python benchmarks/text_world.py
	$(BIN)/python benchmarks/questions.py

$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $@

clean:
	rm -rf $(VENV) out .pytest_cache .ruff_cache .hypothesis build dist
