# Two commands are all you need: `make demo` and `make test`. Each sets up what it needs, in .venv.
# Needed beforehand: Python 3.11 or newer with pip, and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
SMOKE := build/smoke
SITE := build/site
LOCK_FLAGS ?=
ONLY ?=
LOCK_FROM := pyproject.toml --group dev --extra notebook --extra sdk --extra dask

export JUPYTER_PREFER_ENV_PATH := 1

.PHONY: help demo test mutants browser lint smoke docs site screenshots samples lock clean
.NOTPARALLEL:

help: ## What there is to make
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 20

demo: $(VENV)/ready ## Read the sample logs and show what is in them
	@echo '$$ acpinspect summary sample_logs'
	@$(BIN)/acpinspect summary sample_logs || test $$? -eq 1
	@echo
	@echo '$$ acpinspect messages sample_logs'
	@$(BIN)/acpinspect messages sample_logs
	@echo
	@echo 'The stories of these logs: sample_logs/README.md. Your own: $(BIN)/acpinspect summary PATH'

test: $(VENV)/ready lint smoke site browser ## All checks and tests, notebooks, doctests, site and browsers included
	$(BIN)/python -m pytest -n 2 --durations=30 --ignore=tests/browser tests acpinspect
	$(BIN)/python -m pytest -n 0 tests/browser

mutants: $(VENV)/ready ## Change the code in small ways and list what no test notices (ONLY='acpinspect.reducer.*')
	$(BIN)/python .ci/mutants.py run $(if $(ONLY),'$(ONLY)')
	@$(BIN)/mutmut results | grep -v ': not checked' || echo 'Every change that was tried has been noticed.'

browser: $(VENV)/ready ## See to it that there is a Chromium for the tests: the system's, a package, or Playwright's
	@$(BIN)/python tests/browser/install.py

lint: $(VENV)/ready ## Style, types, and which room may know which
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

smoke: $(VENV)/ready ## Build the packages, install the wheel alone in an empty environment, use it from another folder
	rm -rf build/dist $(SMOKE) && mkdir -p build
	$(BIN)/python -m build --no-isolation --outdir build/dist . > build/log 2>&1 || (cat build/log; exit 1)
	$(BIN)/twine check --strict build/dist/*
	$(BIN)/python -m venv $(SMOKE)
	$(SMOKE)/bin/python -m pip --disable-pip-version-check --quiet install build/dist/*.whl
	mkdir $(SMOKE)/elsewhere && cp sample_logs/v1_with_ids.ndjson $(SMOKE)/elsewhere/log.ndjson
	cd $(SMOKE)/elsewhere && ../bin/python -c "import acpinspect; print('wheel:', acpinspect.__version__)"
	cd $(SMOKE)/elsewhere && ../bin/acpinspect messages log.ndjson
	cd $(SMOKE)/elsewhere && ../bin/acpinspect lint log.ndjson
	cd $(SMOKE)/elsewhere && ../bin/acpinspect convert log.ndjson --to v2 --on-loss report -o v2.ndjson
	cd $(SMOKE)/elsewhere && ../bin/acpinspect redact log.ndjson -o redacted.ndjson

docs: $(VENV)/ready ## Write the reference pages again
	$(BIN)/python docs/make.py

site: $(VENV)/ready ## Run the notebooks and build the documentation site in build/site; a broken link is an error
	rm -rf docs/notebooks build/sample $(SITE) && mkdir -p build/sample
	$(BIN)/acpinspect report sample_logs/v1_mixed_ids.ndjson -o build/sample/sample-report.html
	ls notebooks/*.ipynb | xargs -n 1 -P 2 $(BIN)/jupyter nbconvert --log-level WARN --to notebook --execute \
		--ExecutePreprocessor.store_widget_state=False --output-dir docs/notebooks
	$(BIN)/sphinx-build -q -W --keep-going --fresh-env docs $(SITE)

screenshots: $(VENV)/ready browser ## Take the pictures of README and documentation again
	$(BIN)/python docs/screenshots.py

samples: $(VENV)/ready ## Write the sample logs again
	$(BIN)/python sample_logs/make.py

lock: $(VENV)/ready ## Resolve the dependencies again (LOCK_FLAGS=--upgrade for newer ones)
	$(PIP) install uv
	$(BIN)/uv pip compile $(LOCK_FROM) --universal --python-version 3.11 --generate-hashes --no-annotate \
		--no-emit-index-url --custom-compile-command "make lock" --quiet $(LOCK_FLAGS) --output-file requirements.lock

clean: ## Forget the environment and all that was built
	rm -rf $(VENV) build dist mutants .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

# The environment: first what the lock file says, then the project itself.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "acpinspect needs Python 3.11 or newer; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/locked: requirements.lock | $(VENV)/bin/python
	$(PIP) install --require-hashes --requirement requirements.lock
	@touch $@

$(VENV)/ready: $(VENV)/locked pyproject.toml
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@
