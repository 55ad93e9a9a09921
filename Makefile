# The one entry point. `make help` lists the targets; each is thin over a program or a tool.
# A fresh machine needs two commands: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CODEGEN := .cache/codegen

NATIVE := $(wildcard native/*.[ch]) hatch_build.py scripts/build_native.py
LOCKED := $(VENV)/.locked
INSTALLED := $(VENV)/.installed
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
CODEGEN_INSTALLED := $(CODEGEN)/.installed
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.10 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

# An update that was killed is finished or taken back before anything else.
ifneq ($(wildcard .update),)
RECOVERED := $(shell $(PYTHON) scripts/transaction.py 2>&1)
$(if $(findstring rror: ,$(RECOVERED)),$(error $(RECOVERED)),$(info $(RECOVERED)))
endif

.DEFAULT_GOAL := help
.PHONY: help setup lock demo test test-pure fuzz sanitize check lint format types generate update check-generated drift build \
	test-wheel matrix conformance bench bench-client client-faults neighbours import-cost clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

setup: $(INSTALLED) ## make .venv exactly as the lock says

# A changed lock makes the environment anew, so that it holds nothing else; a changed
# pyproject.toml, or a change in native/, only installs the package again, which compiles.
$(LOCKED): requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and \
		"error: toolwire needs Python 3.10 or newer: set PYTHON=, found " + sys.version.split()[0])'
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

$(INSTALLED): $(LOCKED) pyproject.toml $(NATIVE)
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

lock: $(INSTALLED) ## renew the locks in requirements/
	$(COMPILE) --upgrade --all-extras --group dev pyproject.toml -o requirements/dev.txt
	$(COMPILE) --upgrade --resolution lowest-direct --all-extras --group test pyproject.toml \
		-o requirements/lowest.txt
	$(COMPILE) --upgrade --group codegen -o requirements/codegen.txt
	$(COMPILE) --upgrade --group peers pyproject.toml -o requirements/peers.txt

demo: $(INSTALLED) ## hold a tool-calling conversation with a local server
	@$(BIN)/toolwire demo

test: $(INSTALLED) $(CODEGEN_INSTALLED) ## run the tests
	$(BIN)/pytest -n auto

test-pure: $(INSTALLED) ## run the JSON tests with the Python codec alone
	TOOLWIRE_PURE=1 $(BIN)/pytest -n auto tests/json

SECONDS ?= 60
SEED ?= 1

fuzz: $(INSTALLED) ## compare both JSON codecs and json_format on random input for SECONDS=60, from SEED=1
	@$(BIN)/python scripts/fuzz_json.py $(SECONDS) $(SEED)

sanitize: $(INSTALLED) ## the same, and the JSON tests, under gcc's sanitizers
	@$(BIN)/python scripts/sanitize.py $(SECONDS) $(SEED)

check: lint types check-generated test test-wheel ## everything but the version matrix

lint: $(INSTALLED) $(CODEGEN_INSTALLED) ## ruff and buf
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/buf lint
	$(BIN)/buf build -o /dev/null

format: $(INSTALLED) ## let ruff format and mend
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

types: $(INSTALLED) ## mypy and pyright, both strict
	$(BIN)/mypy
	$(BIN)/pyright

generate: $(INSTALLED) $(CODEGEN_INSTALLED) ## compile proto/ into generated/
	@$(BIN)/python scripts/generate.py

update: $(INSTALLED) $(CODEGEN_INSTALLED) ## take in the schema of FROM=folder [REF=revision] [SOURCE=name] [LABEL=text] [DRY=1]
	@$(BIN)/python scripts/update.py "$(FROM)" $(if $(REF),--ref="$(REF)") $(if $(SOURCE),--source="$(SOURCE)") \
		$(if $(LABEL),--label="$(LABEL)") $(if $(DRY),--dry)

check-generated: $(INSTALLED) $(CODEGEN_INSTALLED) ## fail, with the diff, where generated/ is stale
	@$(BIN)/python scripts/generate.py --check

# The compiler has an environment of its own: its old protobuf would hold ours back. buf reads
# the common .proto files from a copy, since its workspace cannot name a site-packages folder.
$(CODEGEN_INSTALLED): requirements/codegen.txt | $(INSTALLED)
	rm -rf $(CODEGEN) .cache/common-protos
	$(PYTHON) -m venv $(CODEGEN)
	$(CODEGEN)/bin/pip install --quiet --disable-pip-version-check --require-hashes \
		-r requirements/codegen.txt
	@$(BIN)/python scripts/common_protos.py .cache/common-protos
	@touch $@

build: $(INSTALLED) ## build the wheel and the sdist into dist/
	rm -rf dist
	$(BIN)/python -m hatchling build

test-wheel: $(INSTALLED) ## test the built wheel in an empty environment
	$(BIN)/pytest -m wheel tests/packaging

matrix: $(INSTALLED) ## run the tests on the lowest and the highest versions (scripts/matrix.py --all: on every one)
	@$(BIN)/python scripts/matrix.py

neighbours: $(INSTALLED) ## import beside the official packages and talk to their clients
	@$(BIN)/python scripts/neighbours.py

conformance: $(INSTALLED) $(CODEGEN_INSTALLED) ## run protobuf's conformance suite over the JSON codec
	@$(BIN)/python scripts/conformance.py

bench: $(INSTALLED) ## measure the JSON codecs beside the others, and draw the chart
	@$(BIN)/python scripts/bench.py

bench-client: $(INSTALLED) ## measure the gRPC client beside the generated stub and the official client
	@$(BIN)/python scripts/bench_client.py

client-faults: $(INSTALLED) ## break all that can break under a client, and write docs/client-faults.md
	@$(BIN)/python scripts/client_faults.py --write

drift: $(INSTALLED) ## compare our schema with the official packages: NEWEST=1 for the newest, else as locked
	@$(BIN)/python scripts/drift.py $(if $(NEWEST),--newest)

import-cost: $(INSTALLED) ## time and memory of an import, beside google-cloud-aiplatform
	@$(BIN)/python scripts/import_cost.py

clean: ## remove what the targets made
	rm -rf $(VENV) .cache dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
