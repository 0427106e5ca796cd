# Everything runs from a virtual environment of its own; nothing but Python >= 3.11 is needed.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
RUNS := $(VENV)/.runs
TESTS := $(VENV)/.tests
SOURCES := pyproject.toml setup.py $(wildcard src/cranfield/kernels/c/*)

# What no kernel computes, or only kernels that other tests hold to NumPy.
SAME_WITHOUT_C := adapters audit classes cli curves descriptions incomplete knowledge monte_carlo \
	pictures pools queries relatedness report_page server splits studies thresholds test_docs.py
# A worker that has nothing left takes over what others have not begun.
PYTEST := $(BIN)/pytest -n auto --dist worksteal

.PHONY: demo test test-slow sanitize wordnet lint bench docs clean

demo: $(RUNS)
	$(BIN)/cranfield demo
	@command -v cranfield > /dev/null || \
		echo "First, so that this shell finds cranfield:  . $(BIN)/activate"

test: lint wordnet
	$(PYTEST) -m "not slow"
	CRANFIELD_KERNELS=numpy $(PYTEST) -m "not slow" $(addprefix --ignore=tests/,$(SAME_WITHOUT_C))

# Browsers, servers, long fuzzing: what needs more than Python, or more than seconds.
test-slow: $(TESTS)
	$(PYTEST) -m slow

# Kernels and readers with a C extension that stops at the first overrun or undefined step. It lies in
# a copy of the package; what is preloaded must come before Python. Python itself never gives back
# some memory, and a peer in the tests gives back by free() what new made: neither is looked at.
SANITIZED := build/sanitized
SANITIZE := -g -O1 -std=c11 -ffp-contract=off -fno-omit-frame-pointer \
	-fsanitize=address,undefined -fno-sanitize-recover=all -DPy_LIMITED_API=0x030B0000
sanitize: $(TESTS)
	rm -rf $(SANITIZED) && mkdir -p $(SANITIZED) && cp -r src/cranfield $(SANITIZED)
	rm -f $(SANITIZED)/cranfield/kernels/*.so
	$(CC) -shared -fPIC $(SANITIZE) src/cranfield/kernels/c/*.c \
		-I$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))') \
		-o $(SANITIZED)/cranfield/kernels/_native.abi3.so
	PYTHONPATH=$(SANITIZED) \
		ASAN_OPTIONS=detect_leaks=0:alloc_dealloc_mismatch=0:log_path=$(SANITIZED)/report \
		LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libstdc++.so)" \
		$(PYTEST) -m "not slow" tests/test_*kernels.py tests/test_exact_sums.py tests/nouns tests/formats tests/trec \
		|| { cat $(SANITIZED)/report.*; false; }

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
	$(BIN)/pip install --quiet --editable '.[server]'
	touch $@

$(TESTS): $(RUNS)
	$(BIN)/pip install --quiet --editable '.[test]'
	touch $@

clean:
	rm -rf $(VENV) build src/*.egg-info src/cranfield/kernels/*.so
