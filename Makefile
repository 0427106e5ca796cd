# Everything runs from a virtual environment of its own; nothing but Python >= 3.11 is needed.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
RUNS := $(VENV)/.runs
TESTS := $(VENV)/.tests
SOURCES := pyproject.toml setup.py $(wildcard src/cranfield/kernels/c/*)

# What no kernel computes, or only kernels that other tests hold to NumPy.
SAME_WITHOUT_C := adapters audit classes cli curves descriptions incomplete knowledge monte_carlo \
	pictures pools queries relatedness report_page splits studies thresholds test_docs.py
# A worker that has nothing left takes over what others have not begun.
PYTEST := $(BIN)/pytest -n auto --dist worksteal

.PHONY: demo test test-slow wordnet lint bench docs clean

demo: $(RUNS)
	$(BIN)/cranfield demo

test: lint wordnet
	$(PYTEST) -m "not slow"
	CRANFIELD_KERNELS=numpy $(PYTEST) -m "not slow" $(addprefix --ignore=tests/,$(SAME_WITHOUT_C))

# Browsers, servers, long fuzzing: what needs more than Python, or more than seconds.
test-slow: $(TESTS)
	$(PYTEST) -m slow

# Tests of relatedness use the real WordNet; where it cannot be fetched, they say so and are skipped.
wordnet: $(TESTS)
	-$(BIN)/cranfield relatedness install wordnet

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
