# Every command of the project. `make` alone lists them. Recipes stay short: a step prints one line, its output goes to
# build/logs/, and stamp files keep a second call from doing work twice.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory

PYTHON ?= python3
JOBS ?= $(shell nproc)
SF ?=
SAN ?=
# Another architecture than this machine's, aarch64, and those that jars are to have the core of; `:=`, because an
# environment means other things by such names.
ARCH :=
ARCHES := x86_64
# A profile of spark/pom.xml, and of those for several versions of Scala which one (2.13 for 3.5).
SCALA ?=
DEFAULT_SPARK := $(shell build-support/spark_version.sh)
SPARK ?= $(DEFAULT_SPARK)
export SPARK SCALA ARCHES
SUITE ?= tpch
LAYOUT ?= plain
LAYOUTS := partitioned bucketed scattered
TEST_DATA := build/data/tpch-sf0.01 $(LAYOUTS:%=build/data/tpcds-%-sf0.01)
QUERIES ?= all
ROUNDS ?= 3
PROFILE ?=
OTHER_ARCH := $(filter-out x86_64,$(ARCH))
PRESET := $(or $(SAN),$(OTHER_ARCH),release)
CORE := build/$(PRESET)
LAID_OUT := dist$(if $(OTHER_ARCH),/$(OTHER_ARCH))
VENV := .venv/bin/python
# Python with the PySpark that the plug-in is built for.
IS_DEFAULT := $(filter $(DEFAULT_SPARK),$(SPARK))
SPARK_PYTHON := $(if $(IS_DEFAULT),$(VENV),build/spark-$(SPARK)/bin/python)
# Jars of another Scala than PySpark's are of.
OTHER_SCALA := $(filter-out $(shell build-support/spark_version.sh $(SPARK) scala),$(SCALA))
SPARK_OF_SCALA := $(if $(OTHER_SCALA),build/spark-$(SPARK)_$(SCALA))
STEP := build-support/step.sh
LOGS := build/logs
# dist/ itself holds one jar, which the program and the wheel take.
jar = dist/$(if $(filter-out $(DEFAULT_SPARK),$(1)),spark-$(1)/)reprise-spark-$(1)_$(2).jar
JAR := $(call jar,$(SPARK),$(or $(SCALA),$(shell build-support/spark_version.sh $(SPARK) scala)))
DEFAULT_JAR := $(call jar,$(DEFAULT_SPARK),2.13)
JARS := $(DEFAULT_JAR) $(call jar,4.3,2.13) $(call jar,4.2,2.13) $(call jar,4.0,2.13) $(call jar,3.5,2.12) $(call jar,3.5,2.13)
export PYTHONDONTWRITEBYTECODE ?= 1
# The driver and its executors talk over loopback only.
export SPARK_LOCAL_IP ?= 127.0.0.1

VENV_STAMP := .venv/.requirements-installed
SYSTEM_STAMP := build/stamps/system
ARCH_PARTS := $(if $(OTHER_ARCH),build/stamps/$(OTHER_ARCH)-parts)
JAVA_TOOLS := build/stamps/java-tools
PAGE_PARTS := build/stamps/page-parts
SPARK_TESTS := build/stamps/spark-tests
TABLE_FORMATS := build/stamps/table-formats
SPARK_RELEASE := build/stamps/spark-release
# What each JVM of the tests would read and link by itself; where few are started it is not worth its half a minute.
CLASS_DATA := build/class-data/spark-$(DEFAULT_SPARK)_2.13.jsa
SPARK_PACKAGES := $(if $(IS_DEFAULT),$(VENV_STAMP),build/stamps/spark-$(SPARK)-packages)
# Every JVM that is started counts the plug-in's lines, of Spark's packages those of its own; every Python the package's.
COUNTED = JAVA_TOOL_OPTIONS="-javaagent:$$(echo $(CURDIR)/build/java-tools/org.jacoco.agent-*-runtime.jar)=destfile=$(CURDIR)/build/coverage/plugin.exec,includes=reprise.*:org.apache.spark.sql.execution.access.*" \
  COVERAGE_FILE=$(CURDIR)/build/coverage/python/lines
CONFIGURED := $(CORE)/build.ninja
NATIVE_SUMS := build/release/native-jar/native/linux-x86_64/SHA256SUMS
AARCH64_SUMS := build/aarch64/native-jar/native/linux-aarch64/SHA256SUMS
OTHER_ARCHES := $(filter-out x86_64,$(ARCHES))
JAR_ARCHES := build/stamps/jar-arches
# The tests of another Spark want its jar in the package.
WHEEL := build/stamps/wheel$(if $(IS_DEFAULT),,-$(SPARK))
SPARK_SOURCES := spark/pom.xml build-support/bundled.py $(shell find spark/src/main -type f 2>/dev/null)

##@ First
.PHONY: help setup demo
help: ## list the commands
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} \
	  /^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' Makefile
	@printf '\nVariables: SPARK=3.5, 4.0, 4.2 or 4.3 (default $(DEFAULT_SPARK)), SCALA=2.13 (of 3.5, default 2.12), JAVA=21 or 25 (of test-whole), SF=1 (scale of the demo or bench), SAN=address|undefined|thread, JOBS=2, PYTHON=python3,\n'
	@printf '           ARCH=aarch64 (of build and test-core), ARCHES="x86_64 aarch64" (of jars and dist),\n'
	@printf '           TESTS="tests/test_explain.py -k filter", QUERIES=1,4,6, ROUNDS=3, PROFILE=1, BENCH_OPTIONS=--memory=8192\n'

setup: $(SYSTEM_STAMP) $(VENV_STAMP) ## install what the build needs (system packages, .venv)

$(SYSTEM_STAMP): build-support/system-packages.txt build-support/check_tools.sh
	@$(STEP) "system packages" $(LOGS)/system-packages.log build-support/install_system_packages.sh
	@build-support/check_tools.sh $(PYTHON)
	@mkdir -p $(@D) && touch $@

# Changes with the release of Spark alone, not with all of spark/pom.xml.
$(SPARK_RELEASE): spark/pom.xml
	@mkdir -p $(@D); release=$$(build-support/spark_version.sh $(DEFAULT_SPARK)); \
	  [[ -e $@ && $$(<$@) == "$$release" ]] || echo "$$release" >$@

$(VENV_STAMP): requirements.txt $(SPARK_RELEASE) | $(SYSTEM_STAMP)
	@$(STEP) "Python packages into .venv" $(LOGS)/venv.log build-support/make_venv.sh $(PYTHON)

##@ Build
.PHONY: build core
build: core $(if $(SAN)$(OTHER_ARCH),,$(JAR)) ## build dist/bin/reprise, dist/lib and the plug-in's jar (SPARK=4.0: for another Spark; SAN=address: only the core; ARCH=aarch64: only the core, in dist/aarch64)

$(PAGE_PARTS): build-support/page-parts.xml build-support/page_parts.sh | $(SYSTEM_STAMP)
	@$(STEP) "parts of the report's page" $(LOGS)/page-parts.log build-support/page_parts.sh build/page-parts
	@mkdir -p $(@D) && touch $@

build/stamps/%-parts: build-support/%-packages.txt build-support/%_parts.sh requirements.txt | $(VENV_STAMP)
	@$(STEP) "system packages for $*" $(LOGS)/system-packages-$*.log \
	  build-support/install_system_packages.sh $<
	@$(STEP) "libraries of $*" $(LOGS)/$*-parts.log build-support/$*_parts.sh build/$*-parts
	@mkdir -p $(@D) && touch $@

$(CONFIGURED): CMakePresets.json $(VENV_STAMP) $(PAGE_PARTS) $(ARCH_PARTS) | $(SYSTEM_STAMP)
	@$(STEP) "configure the core ($(PRESET))" $(LOGS)/configure-$(PRESET).log build-support/configure.sh $(PRESET)
	@touch $@

# The build and test programs of a sanitizer's build; program and library of the ordinary one.
core: $(CONFIGURED) $(PAGE_PARTS)
	@$(STEP) "build the core ($(PRESET))" $(LOGS)/build-$(PRESET).log \
	  ninja -C $(CORE) -j $(JOBS) $(if $(SAN),unit_tests,product)
ifeq ($(SAN),)
	@$(STEP) "lay out dist/" $(LOGS)/pack.log build-support/pack.sh $(CORE) $(LAID_OUT) $(or $(OTHER_ARCH),x86_64)
endif

ifeq ($(OTHER_ARCH),)
$(NATIVE_SUMS): core ;
$(AARCH64_SUMS): other-arch ;
.PHONY: other-arch
other-arch:
	@$(MAKE) core ARCH=aarch64
endif

# Changes with the architectures that jars have the core of.
$(JAR_ARCHES): FORCE
	@mkdir -p $(@D); [[ -e $@ && $$(<$@) == "$(sort $(ARCHES))" ]] || echo "$(sort $(ARCHES))" >$@
.PHONY: FORCE
FORCE:

# 3.5_2.12, and what is before and behind the line.
jar_of = $(patsubst reprise-spark-%.jar,%,$(@F))
jar_spark = $(firstword $(subst _, ,$(jar_of)))
jar_scala = $(lastword $(subst _, ,$(jar_of)))
$(sort $(JAR) $(JARS)): $(SPARK_SOURCES) $(NATIVE_SUMS) $(if $(OTHER_ARCHES),$(AARCH64_SUMS)) $(JAR_ARCHES)
	@SPARK=$(jar_spark) SCALA=$(jar_scala) $(STEP) "build the plug-in's jar for Spark $(subst _, with Scala ,$(jar_of))" \
	  $(LOGS)/plugin-$(jar_of).log build-support/maven.sh package -Dmaven.test.skip=true -DskipTests
	@mkdir -p $(@D) && cp spark/target/spark-$(jar_of)/reprise-spark-$(jar_of)-$$(cat VERSION).jar $@

# What Maven Central has not (yet).
$(call jar,4.3,2.13): build/spark-4.3/repository

.PHONY: jars
jars: core $(JARS) ## the plug-in's jar for every Spark that it is built for (ARCHES="x86_64 aarch64": for both architectures)

dist/bin/reprise: core ;

.PHONY: wheel
wheel: $(WHEEL) ## build dist/spark_reprise-*.whl, the Python package, and install it into .venv
$(WHEEL): $(DEFAULT_JAR) $(JAR) dist/bin/reprise $(shell find python -type f -not -path '*/__pycache__/*')
	@$(STEP) "build the Python package" $(LOGS)/wheel.log build-support/wheel.sh dist x86_64 $(sort $(DEFAULT_JAR) $(JAR))
	@$(VENV) -m pip install -q --disable-pip-version-check --no-deps --force-reinstall dist/spark_reprise-*.whl
	@touch $@

.PHONY: dist
dist: $(JARS) $(WHEEL) ## all that is handed out: jars, the wheel with all of them, an archive with program, jars and docs, the bill of materials, checksums (ARCHES="x86_64 aarch64": for both architectures)
	@for arch in x86_64 $(OTHER_ARCHES); do \
	  to=build/reprise-$$(cat VERSION)-linux-$$arch; \
	  $(STEP) "lay out what is handed out for $$arch" $(LOGS)/dist-$$arch.log build-support/release.sh $$to $$arch $(JARS) || exit 1; \
	  ls -sh $$to; \
	done

##@ Test
.PHONY: test test-core test-plugin test-whole
ifeq ($(SAN)$(OTHER_ARCH),)
test: build tidy test-core test-plugin test-whole $(if $(IS_DEFAULT),test-others) ## run tidy and every test; with SAN=address the core's unit tests under the sanitizer
else
test: test-core
endif

# Build once more: `product` leaves the unit tests out.
test-core: core ## the core's unit tests
	@$(STEP) "build the unit tests ($(PRESET))" $(LOGS)/build-tests-$(PRESET).log \
	  ninja -C $(CORE) -j $(JOBS) unit_tests
	@STEP_TAIL_LINES=120 $(STEP) "run the unit tests ($(PRESET))" $(LOGS)/unit-tests-$(PRESET).log \
	  build-support/unit_tests.sh $(CORE) $(JOBS)
	@grep -h "tests passed" $(LOGS)/unit-tests-$(PRESET).log

# The oldest that the binaries run on, and one with AVX2.
PROCESSORS := Nehalem Haswell
.PHONY: test-processors
test-processors: core build/stamps/aarch64-parts ## checksums on older processors of x86_64, in an emulator
	@$(STEP) "build the checksums' tests" $(LOGS)/build-tests-processors.log ninja -C $(CORE) -j $(JOBS) checksums_test
	@for processor in $(PROCESSORS); do \
	  $(STEP) "checksums on $$processor" $(LOGS)/checksums-$$processor.log \
	    qemu-x86_64-static -cpu $$processor $(CORE)/bin/checksums_test --gtest_brief=1 || exit 1; \
	done

test-plugin: $(JAR) ## the plug-in's own tests (ScalaTest)
	@STEP_TAIL_LINES=120 $(STEP) "run the plug-in's tests" $(LOGS)/plugin-tests-$(SPARK).log build-support/maven.sh test
	@grep -hE "Tests: succeeded" $(LOGS)/plugin-tests-$(SPARK).log || true

test-whole: $(JAR) $(WHEEL) $(SPARK_PACKAGES) $(if $(IS_DEFAULT),$(CLASS_DATA)) $(TEST_DATA) $(TABLE_FORMATS) build/spark-3.5 build/spark-4.0 $(call jar,3.5,2.12) $(SPARK_OF_SCALA) $(if $(JAVA),build/java-$(JAVA)) ## the tests of the whole, with Spark (TESTS=... chooses, THOROUGH=1: with the long ones, JAVA=21: on that Java, 25 with SPARK=4.2 or 4.3)
	@$(if $(JAVA),export JAVA_HOME=$(CURDIR)/build/java-$(JAVA);) $(if $(OTHER_SCALA),export SPARK_HOME=$(CURDIR)/$(SPARK_OF_SCALA);) source build-support/java_home.sh; $(SPARK_PYTHON) -m pytest -q -n 2 --dist loadfile $(if $(THOROUGH),--thorough) $(or $(TESTS),tests)

$(CLASS_DATA): tests/support/class_data.py $(SPARK_RELEASE) | $(VENV_STAMP) build/data/tpch-sf0.01
	@PYTHONPATH=tests $(STEP) "Spark's classes as they are in memory" $(LOGS)/class-data.log $(VENV) $< $@

build/java-%: build-support/java_runtime.sh | $(VENV_STAMP)
	@$(STEP) "Java $*" $(LOGS)/java-$*.log build-support/java_runtime.sh $* $@
	@touch $@

$(TABLE_FORMATS): build-support/table-formats.xml | $(SYSTEM_STAMP)
	@$(STEP) "jars of Iceberg and Delta" $(LOGS)/table-formats.log build-support/copy_jars.sh $< build/table-formats
	@mkdir -p $(@D) && touch $@

# Of the other Sparks each runs its share of the SQL files, and every feature. Each has one process, and two run at a time;
# Maven's parts and Python's packages are fetched before that, one after the other.
OTHERS := 3.5 4.0 4.2 4.3
TURN ?= 0
ALL ?=
OTHER_JARS := $(call jar,3.5,2.12) $(call jar,4.0,2.13) $(call jar,4.2,2.13) $(call jar,4.3,2.13)
.PHONY: test-others $(OTHERS:%=test-share-%)
test-others: $(OTHER_JARS) $(OTHERS:%=build/stamps/spark-%-packages) $(WHEEL) build/data/tpch-sf0.01 ## a share of the tests with each of the other Sparks (TURN=1 to 7: other SQL files on each; ALL=1: all of them on each, slow)
	@$(MAKE) -k -j 2 --output-sync $(OTHERS:%=test-share-%)
	@grep -hoE "[0-9]+ passed[^=]*" $(OTHERS:%=$(LOGS)/tests-%.log)

number_of = $$(printf '%s\n' $(OTHERS) | grep -nxF $(1) | cut -d: -f1)
ONLY_3.5 := tests/test_spark_engine.py::test_dumps_replay_on_other_sparks tests/test_earlier_spark.py
$(OTHERS:%=test-share-%): test-share-%:
	@source build-support/java_home.sh; \
	  REPRISE_SQL_SHARE=$(if $(ALL),0/1,$$(( (2 * $(call number_of,$*) + $(TURN)) % 8 ))/8) SCALA= STEP_TAIL_LINES=200 \
	  $(STEP) "a share of the tests with Spark $*" $(LOGS)/tests-$*.log \
	  build/spark-$*/bin/python -m pytest -q tests/test_sql.py tests/test_every_feature.py $(ONLY_$*)

.PHONY: test-quick
QUICK = filters or projections or guests or unions or first_and_last
test-quick: test-core $(JAR) $(WHEEL) $(SPARK_PACKAGES) build/data/tpch-sf0.01 ## the core's unit tests and some SQL (QUICK="joins or sorts"): three minutes after a change of one file
	@source build-support/java_home.sh; $(SPARK_PYTHON) -m pytest -q -n 2 tests/test_sql.py -k "$(QUICK)"

.PHONY: test-sql-stress
test-sql-stress: $(JAR) $(WHEEL) $(SPARK_PACKAGES) build/data/tpch-sf0.01 ## every SQL test with batches of 1 and 3 rows and with denied memory (slow; FROM=unions goes on at a file, TESTS="-k joins")
	@source build-support/java_home.sh; REPRISE_STRESS=$(or $(FROM),all) $(SPARK_PYTHON) -m pytest -v --thorough tests/test_stress.py $(TESTS)

.PHONY: test-spark
test-spark: $(if $(OFF),,$(DEFAULT_JAR)) $(SPARK_TESTS) ## suites of Spark's own tests, with the plug-in (the default Spark's alone; slow; SUITES='JoinSuite SubquerySuite' TESTS=union.sql OFF=1)
	@source build-support/java_home.sh; PYTHONPATH=tests/support $(VENV) tests/spark/run.py $(SUITES) $(if $(TESTS),--tests "$(TESTS)") $(if $(OFF),--off)

$(SPARK_TESTS): build-support/spark-tests.xml build-support/spark_tests.py $(SPARK_RELEASE) | $(VENV_STAMP)
	@$(STEP) "Spark's own tests" $(LOGS)/spark-tests.log $(VENV) build-support/spark_tests.py build/spark-tests
	@mkdir -p $(@D) && touch $@

build/data/tpch-sf%: | $(VENV_STAMP)
	@$(STEP) "generate TPC-H data, scale factor $*" $(LOGS)/tpch-sf$*.log build-support/tpch_data.sh $* $@

# The layouts of TPC-DS's tables (tests/support/warehouse.py); at the tests' scale dates are those of every thirtieth day.
build/data/tpcds-plain-sf%: | $(VENV_STAMP)
	@$(STEP) "generate TPC-DS data, scale factor $*" $(LOGS)/tpcds-plain-sf$*.log \
	  $(VENV) build-support/tpcds_data.py $* $@ $(if $(filter 0.01,$*),30)
define layout
build/data/tpcds-$(1)-sf%: build/data/tpcds-plain-sf%
	@source build-support/java_home.sh; $$(STEP) "write TPC-DS data $(1), scale factor $$*" $$(LOGS)/tpcds-$(1)-sf$$*.log \
	  $$(VENV) tests/support/warehouse.py $(1) $$< $$@
endef
$(foreach name,$(LAYOUTS),$(eval $(call layout,$(name))))
.PRECIOUS: build/data/tpcds-plain-sf% build/spark-%

##@ Show and measure
demo: build $(SPARK_PACKAGES) build/data/tpch-sf$(or $(SF),0.1) ## TPC-H Q4 on Spark and with Reprise; dump two operators, replay them without a JVM
	@source build-support/java_home.sh; $(SPARK_PYTHON) demo/q4.py --data build/data/tpch-sf$(or $(SF),0.1)

BENCH_DATA = build/data/$(if $(filter tpcds,$(SUITE)),tpcds-$(LAYOUT),tpch)-sf$(or $(SF),1)
.PHONY: bench bench-lineage coverage
bench: build $(SPARK_PACKAGES) $(BENCH_DATA) $(if $(PROFILE),$(JAVA_TOOLS)) ## TPC-H, TPC-DS or a mix of other queries on Spark alone and with Reprise (SUITE=mix, SUITE=guests, SUITE=remote, SUITE=tpcds LAYOUT=partitioned SF=1 QUERIES=1,6 ROUNDS=3 PROFILE=1)
	@source build-support/java_home.sh; $(SPARK_PYTHON) bench/queries.py --suite $(SUITE) --data $(BENCH_DATA) \
	  --sf $(or $(SF),1) --queries $(QUERIES) --rounds $(ROUNDS) $(if $(PROFILE),--profile) $(BENCH_OPTIONS)

.PHONY: bench-lore
bench-lore: build $(SPARK_PACKAGES) build/data/tpch-sf$(or $(SF),0.1) ## what LORE costs: ids while planning, dumps while running, start of a replay
	@$(STEP) "build the bench of dumps" $(LOGS)/bench-lore.log ninja -C $(CORE) -j $(JOBS) dump_cost
	@source build-support/java_home.sh; status=0; \
	  $(SPARK_PYTHON) bench/dump_cost.py --data build/data/tpch-sf$(or $(SF),0.1) || status=1; \
	  $(SPARK_PYTHON) bench/lore_startup.py || status=1; \
	  $(SPARK_PYTHON) bench/lore_planning.py --data build/data/tpch-sf$(or $(SF),0.1) || status=1; exit $$status

.PHONY: bench-writes
bench-writes: build $(SPARK_PACKAGES) build/data/tpch-sf$(or $(SF),1) ## Parquet files written by Spark alone and with Reprise (SF=1, BENCH_OPTIONS=--rounds=3)
	@source build-support/java_home.sh; $(SPARK_PYTHON) bench/writes.py --data build/data/tpch-sf$(or $(SF),1) $(BENCH_OPTIONS)

.PHONY: bench-files
bench-files: build $(SPARK_PACKAGES) build/data/tpch-sf$(or $(SF),1) ## files of CSV, JSON and ORC read by Spark alone and with Reprise (SF=1, BENCH_OPTIONS=--rounds=3)
	@source build-support/java_home.sh; $(SPARK_PYTHON) bench/files.py --data build/data/tpch-sf$(or $(SF),1) $(BENCH_OPTIONS)

.PHONY: bench-columns
bench-columns: build $(SPARK_PACKAGES) build/data/tpch-sf$(or $(SF),1) ## ORC files and cached tables read by Spark alone and with Reprise (SF=1, BENCH_OPTIONS=--rounds=3)
	@source build-support/java_home.sh; $(SPARK_PYTHON) bench/columns.py --data build/data/tpch-sf$(or $(SF),1) $(BENCH_OPTIONS)

.PHONY: bench-flame
bench-flame: build $(SPARK_PACKAGES) build/data/tpch-sf$(or $(SF),1) ## what profiles cost: queries with flame graphs and without
	@source build-support/java_home.sh; $(SPARK_PYTHON) bench/flame.py --data build/data/tpch-sf$(or $(SF),1) $(BENCH_OPTIONS)

.PHONY: bench-ledger
bench-ledger: build $(SPARK_PACKAGES) build/data/tpch-sf$(or $(SF),1) ## what the ledger costs: TPC-H and jobs over RDDs with it and without
	@source build-support/java_home.sh; $(SPARK_PYTHON) bench/ledger.py --data build/data/tpch-sf$(or $(SF),1) $(BENCH_OPTIONS)

.PHONY: bench-qualify
bench-qualify: build $(SPARK_PACKAGES) $(BENCH_DATA) ## what `reprise qualify` foretells of a suite, beside what came of it (SUITE=, SF=, BENCH_OPTIONS=--rounds=3)
	@source build-support/java_home.sh; $(SPARK_PYTHON) bench/qualify.py --suite $(SUITE) --data $(BENCH_DATA) $(BENCH_OPTIONS)

bench-lineage: build $(SPARK_PACKAGES) ## a large event log, read by Reprise and by Spark's own replay (BENCH_OPTIONS=--megabytes=1000)
	@source build-support/java_home.sh; $(SPARK_PYTHON) bench/lineage.py $(BENCH_OPTIONS)

# Other versions of Spark that the plug-in is built for; the tests of the whole read event logs of one.
build/spark-%: | $(SYSTEM_STAMP)
	@release="$$(build-support/spark_version.sh $*)"; \
	  $(STEP) "Spark $* into $@" $(LOGS)/spark-$*.log bash -c \
	  "$(PYTHON) -m venv $@ && $@/bin/pip install -q pyspark==$$release setuptools || { rm -rf $@; exit 1; }"

ifneq ($(OTHER_SCALA),)
$(SPARK_OF_SCALA): build-support/spark_of_scala.sh | build/spark-$(SPARK)
	@$(STEP) "Spark $(SPARK) with Scala $(SCALA) into $@" $(LOGS)/$(@F).log $< $(SPARK) $(SCALA) $(SPARK_PYTHON) $@
	@touch $@
endif

build/spark-4.3/repository: build-support/pyspark_repository.py | build/spark-4.3
	@$(PYTHON) $< build/spark-4.3 "$$(build-support/spark_version.sh 4.3)"

# What the tests need besides, out of .venv; a folder's own packages come before those that it is pointed to.
build/stamps/spark-%-packages: build/spark-% $(VENV_STAMP)
	@$(VENV) -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
	  >$$(build/spark-$*/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/of-tests.pth
	@touch $@

$(JAVA_TOOLS): build-support/java-tools.xml | $(SYSTEM_STAMP)
	@$(STEP) "Java tools" $(LOGS)/java-tools.log build-support/copy_jars.sh $< build/java-tools
	@touch $@

coverage: build $(SPARK_PACKAGES) $(WHEEL) $(TEST_DATA) $(TABLE_FORMATS) build/spark-3.5 build/spark-4.0 $(JAVA_TOOLS) ## which lines the tests run, of C++, Scala and Python: build/coverage/report/index.html (slow)
	@$(STEP) "configure the core (coverage)" $(LOGS)/configure-coverage.log build-support/configure.sh coverage
	@$(STEP) "build the unit tests (coverage)" $(LOGS)/build-coverage.log \
	  ninja -C build/coverage -j $(JOBS) unit_tests
	@find build/coverage -name '*.gcda' -delete; rm -rf build/coverage/report build/coverage/plugin.exec build/coverage/python
	@mkdir -p build/coverage/python
	@$(STEP) "run the unit tests (coverage)" $(LOGS)/unit-tests-coverage.log \
	  build-support/unit_tests.sh build/coverage $(JOBS)
	@$(COUNTED) $(STEP) "run the plug-in's tests" $(LOGS)/plugin-tests-coverage.log build-support/maven.sh test
	@source build-support/java_home.sh; $(COUNTED) $(STEP) "run the tests of the whole" \
	  $(LOGS)/whole-coverage.log $(SPARK_PYTHON) -m coverage run -m pytest -q $(or $(TESTS),tests)
	@$(STEP) "write the report" $(LOGS)/coverage.log \
	  build-support/coverage.sh build/coverage build/coverage/report build/coverage/plugin.exec build/coverage/python/lines
	@echo "Written build/coverage/report/index.html"

.PHONY: build-times
build-times: core ## where the time of the last build went, and what the change of one file costs
	@$(VENV) build-support/build_times.py $(CORE) $(LOGS) $(SOURCES)

##@ Keep in order
.PHONY: tidy format docs clang-tidy clean
tidy: $(VENV_STAMP) ## check formatting, style rules and that docs/reference is fresh
	@find core python bench -name '*.cc' -o -name '*.h' | xargs -r clang-format --dry-run -Werror
	@$(VENV) -m ruff check -q . && $(VENV) -m ruff format -q --check .
	@$(VENV) build-support/check_style.py
	@echo "tidy: nothing to mend"

format: $(VENV_STAMP) ## format C++ and Python
	@find core python bench -name '*.cc' -o -name '*.h' | xargs -r clang-format -i
	@$(VENV) -m ruff check -q --fix . && $(VENV) -m ruff format -q .

# Of the debug build, which compiles every file by itself.
clang-tidy: $(VENV_STAMP) ## slow static analysis of the core (needs Debian's clang-tidy)
	@$(STEP) "configure the core (debug)" $(LOGS)/configure-debug.log build-support/configure.sh debug
	@run-clang-tidy -quiet -p build/debug -j $(JOBS) "$(CURDIR)/core/.*"

docs: core ## write docs/reference again from the core's own tables
	@build-support/reference_pages.sh docs/reference

clean: ## remove build/ and dist/ (not .venv)
	@rm -rf build dist spark/target
