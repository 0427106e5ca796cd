# Everything runs from a virtual environment of its own; nothing but Python >= 3.11 is needed.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test lint bench docs clean

demo: $(STAMP)
	$(BIN)/cranfield demo

test: lint
	$(BIN)/pytest -n auto
	CRANFIELD_KERNELS=numpy $(BIN)/pytest -n auto

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/pip install --quiet --editable '.[bench]'
	$(BIN)/python -m benchmarks

docs: $(STAMP)
	$(BIN)/python docs/build.py

$(STAMP): pyproject.toml setup.py $(wildcard src/cranfield/kernels/c/*)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[test]'
	touch $@

clean:
	rm -rf $(VENV) build src/*.egg-info src/cranfield/kernels/*.so
