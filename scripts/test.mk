# SPDX-License-Identifier: Apache-2.0
# Tests; suites and their shares stand in scripts/suites.txt.
.PHONY: test test-all
test: deps
	scripts/run_tests.py --seed $(SEED)
test-all: deps
	scripts/run_tests.py --all --seed $(SEED)

.PHONY: demo bench
demo: deps
	@echo "building the tools and one SM of the v100 shape with tracing: a few minutes the first time"
	@$(MAKE) -s -j2 programs $(B)/sm/sm16-wave/libwgsm.so
	@scripts/demo.sh
bench: deps
	@$(MAKE) -s -j2 programs $(B)/sm/sm16-fast/libwgsm.so
	@scripts/bench.sh
