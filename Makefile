# Everything runs from a virtual environment of its own; nothing but Python >= 3.11 is needed.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
RUNS := $(VENV)/.runs
TESTS := $(VENV)/.tests
SOURCES := pyproject.toml setup.py $(wildcard src/cranfield/kernels/c/*)

.PHONY: demo test lint bench docs clean

demo: $(RUNS)
	$(BIN)/cranfield demo

test: lint
	$(BIN)/pytest -n auto
	CRANFIELD_KERNELS=numpy $(BIN)/pytest -n auto

lint: $(TESTS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(RUNS)
	$(BIN)/pip install --quiet --editable '.[bench]'
	$(BIN)/python -m benchmarks

docs: $(RUNS)
	$(BIN)/python docs/build.py

$(RUNS): $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable .
	touch $@

$(TESTS): $(RUNS)
	$(BIN)/pip install --quiet --editable '.[test]'
	touch $@

clean:
	rm -rf $(VENV) build src/*.egg-info src/cranfield/kernels/*.so
