# SPDX-License-Identifier: Apache-2.0
# Tests; suites and their shares stand in scripts/suites.txt.
.PHONY: test test-all
test: deps
	scripts/run_tests.py --seed $(SEED)
test-all: deps
	scripts/run_tests.py --all --seed $(SEED)
