# SPDX-License-Identifier: Apache-2.0
# Programs: programs/<name>/{<name>.cu, golden.c}; built into build/programs/<name>/.
PROGRAMS := $(patsubst programs/%/golden.c,%,$(wildcard programs/*/golden.c))
PROGRAM_BINS := $(foreach p,$(PROGRAMS),$(B)/programs/$(p)/$(p))
GOLDENS := $(foreach p,$(PROGRAMS),$(B)/programs/$(p)/golden.so)

.PHONY: programs run questions pitfalls guide cycles-update cycles-check sched-table
programs: runtime $(PROGRAM_BINS) $(GOLDENS)

# An executable holds PTX and loads the library: it is not made again when only these change, hence the bar.
# clang's contraction is part of what a program computes, so the line is the one the sources themselves print
define program_rule
$(B)/programs/$(1)/$(1): programs/$(1)/$(1).cu programs/wg_program.h $(B)/bin/wgcc $(wildcard runtime/include/*) | $(B)/bin/warpglass \
    $(B)/lib/libcudart.so
	@mkdir -p $$(@D)
	$(B)/bin/wgcc -O3 -arch=sm_70 -lineinfo $$< -o $$@
$(B)/programs/$(1)/golden.so: programs/$(1)/golden.c programs/wg_golden.h
	@mkdir -p $$(@D)
	$(CC) $(CFLAGS) -shared -o $$@ $$< -lm
endef
$(foreach p,$(PROGRAMS),$(eval $(call program_rule,$(p))))

# make run P=reduce ARGS=65536
P ?= convolve_1d
ARGS ?= $(shell awk -F'\t' -v p=$(P) '$$1 == p { print $$2; exit }' programs/runs.tsv)
run: $(B)/bin/warpglass $(B)/programs/$(P)/$(P) $(B)/programs/$(P)/golden.so
	$(B)/bin/warpglass run $(RUN_OPTIONS) $(B)/programs/$(P)/$(P) $(ARGS)

# the lecture's three questions from runs, beside its figures
questions: programs $(B)/sm/tiny-fast/libwgsm.so $(B)/sm/sm16-fast/libwgsm.so
	@programs/questions.py

# the lecture's six pitfalls: wrong and right programs, factors measured anew, the page written
pitfalls: build $(B)/sm/sm16-fast/libwgsm.so
	@programs/pitfalls.py -o programs/PITFALLS.md

# the course: its commands run, what they print written, its figures drawn
guide: build programs $(B)/sm/tiny-fast/libwgsm.so $(B)/sm/sm16-fast/libwgsm.so
	@programs/guide.py -o

cycles-update: programs sched-table
	programs/cycles.sh update
	programs/tables.py -o programs/TABLES.md
cycles-check: programs
	programs/cycles.sh check
sched-table: programs
	testbench/texts/sched_table.py -o testbench/texts/SCHEDULERS.md
