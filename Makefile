# Two commands do all the set-up: `make demo` runs the main job, `make test` passes the tests.
# A machine without an NVIDIA GPU may take PyTorch's smaller CPU build:
#   make demo TORCH="torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu"
PYTHON ?= python3
VENV ?= .venv
TORCH ?= torch==2.13.0
DEMO_ARGS ?=
TEST_ARGS ?=
BENCH_ARGS ?=
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test lint bench install clean

install: $(STAMP)

$(STAMP): setup.cfg pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("gui-gym needs Python 3.11 or newer") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet $(TORCH)
	$(BIN)/python -m pip install --quiet -e '.[all,test]'
	touch $(STAMP)

demo: $(STAMP)
	$(BIN)/python -m gui_gym.experiments.demo $(DEMO_ARGS)

test: $(STAMP)
	$(BIN)/python -m pytest -q -n auto $(TEST_ARGS)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(STAMP)
	$(BIN)/python -m gui_gym.experiments.benchmarks $(BENCH_ARGS)

clean:
	rm -rf $(VENV) build dist *.egg-info
