# SPDX-License-Identifier: Apache-2.0
# Everything from a fresh Debian 12. What is missing is installed, as root or by sudo.
.DEFAULT_GOAL := help
.PHONY: help demo demo-system examples test flakes mutants attack bench deps build check format manual pictures sanitize fuzz package clean

jobs := $(shell nproc 2>/dev/null || echo 2)
sources = $$(find include src drivers tests config -name '*.cpp' -o -name '*.hpp')
# Those that have threads, or share memory with other processes.
rooms_with_threads = rt coupled record framelog server guard

# What was built, of what, and for how long; before it, how long it will take.
export NINJA_STATUS = [%f/%t  %e s] 
# $(call configure_and_build,PRESET[,TARGETS[,OPTIONS]])
define configure_and_build
cmake --preset $(1) --log-level=WARNING $(3)
@.ci/estimate $(1) $(jobs) $(2)
cmake --build --preset $(1) --parallel $(jobs) $(if $(2),--target $(2))
endef

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: ## install what is missing, build, run the main job for 10 s, print the report
	@.ci/dependencies.sh build
	$(call configure_and_build,default,hild hildctl)
	build/hild run config/demo.yaml --duration 10

demo-system: ## the same of three nodes on this machine, a motor, its load and its controller; one is killed
	@.ci/dependencies.sh build
	$(call configure_and_build,default,hild hildctl)
	config/system_demo build/hild build/hildctl

examples: ## install what is missing, build, run each example of config/uses with its test sequence
	@.ci/dependencies.sh build
	$(call configure_and_build,default,hild hildctl examples)
	@for run in config/uses/*/run; do \
	  example=$$(basename "$$(dirname "$$run")"); \
	  printf '\n== %s\n' "$$example"; \
	  "$$run" build/hild build/hildctl "build/examples/$$example" || exit 1; \
	done

# All that the tests need, and they themselves.
define build_tests
@.ci/dependencies.sh build test bench package $(1)
$(call configure_and_build,default,,-DHILD_BENCH=ON)
cmake --build --preset default --target deb
tests/rig/kernel.sh build/rig/kernel
endef

# One more than there are processors: many of them wait.
test: ## install what is missing, build, run every test that a plain machine can run
	$(call build_tests)
	ctest --test-dir build --output-on-failure -j$$(($$(nproc) + 1)) --output-junit junit.xml

flakes: ## the tests 20 times beside a load on every CPU: what fails how often; FLAKES='--rounds 5 --label rig'
	$(call build_tests,flakes)
	tests/flakes/run $(FLAKES)

mutants: ## faults of one line, one after the other: which the tests do not notice; MUTANTS='io exec'
	@.ci/dependencies.sh build
	tests/mutants/run $(MUTANTS)

attack: ## some minutes of faults, kills, hostile clients and damaged files; ATTACK='--quick --only kills'
	@.ci/dependencies.sh build
	$(call configure_and_build,default)
	tests/attack/run $(ATTACK)

bench: ## the benchmarks, each against its peer in the same run
	@.ci/dependencies.sh build test bench
	$(call configure_and_build,default,bench,-DHILD_BENCH=ON)

manual: ## the manual of the public headers, into build/manual/html
	@.ci/dependencies.sh build test
	mkdir -p build
	doxygen docs/Doxyfile

pictures: ## those of the documentation anew, of this tree on this machine
	@.ci/dependencies.sh build test bench
	$(call configure_and_build,default,all,-DHILD_BENCH=ON)
	tests/bench/growth.py build --draw docs
	tests/bench/run --counted --build build --json build/peers.json
	tests/bench/peers.py build/peers.json docs/performance.md
	python3 -B tests/docs/frame_picture.py build/hild --draw docs/pictures/frame.svg
	python3 -B tests/examples/adaptive_test.py build/hild build/examples/adaptive --draw docs/pictures/adaptive.svg
	cd tests/page && HILD_PICTURES=$(CURDIR)/docs/pictures HILD_PROGRAM=$(CURDIR)/build/hild python3 -B -m unittest picture_test examples_test

deps: ## install all that any of these needs
	@.ci/dependencies.sh build test flakes bench check fuzz package

build: ## the programs and the tests, into build/
	@.ci/dependencies.sh build
	$(call configure_and_build,default)

check: ## format and static analysis, of which TIDY=/hild_rt does one library alone
	@.ci/dependencies.sh build check
	clang-format --dry-run --Werror $(sources)
	cmake --preset tidy --log-level=WARNING
	.ci/tidy build-tidy $(jobs) '$(TIDY)'

format: ## put the sources in format
	@.ci/dependencies.sh check
	clang-format -i $(sources)

sanitize: ## the tests under AddressSanitizer with UBSan, then those with threads under ThreadSanitizer
	@.ci/dependencies.sh build
	$(call configure_and_build,asan)
	ctest --preset asan -j2
	$(call configure_and_build,tsan,$(rooms_with_threads:%=test_%))
	ctest --preset tsan -j2 -L "^($(shell echo $(rooms_with_threads) | tr ' ' '|'))$$"

fuzz: ## each fuzzer for half a minute
	@.ci/dependencies.sh build fuzz
	$(call configure_and_build,fuzz,fuzzers)
	ctest --preset fuzz

package: ## Debian packages, build/package/*.deb, which lintian finds nothing wrong with
	@.ci/dependencies.sh build package
	$(call configure_and_build,default,deb)
	lintian --fail-on error,warning build/package/*.deb

clean: ## remove all that was built
	rm -rf build build-debug build-asan build-tsan build-fuzz build-tidy
