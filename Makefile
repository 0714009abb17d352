# SPDX-License-Identifier: Apache-2.0
# Warpglass: `make` alone prints this help.
#:   demo            set up, build, run the lecture's convolution from its .cu on the RTL, write report and waveform
#:   demo-dispatch   the lecture's timeline of blocks: its figure, the real run beside it, question 3; printed and drawn (SVG)
#:   test            seeded sample of everything within its budget (SEED=n repeats a run)
#:   test-all        every test
#:   build           libraries, tools, runtime
#:   systemc         the SystemC top that `backend=systemc` loads
#:   sm SHAPE=s VARIANT=v   verilate one SM (s: tiny sm16 sm32; v: fast wave inject)
#:   run P=x ARGS=.. PRESET=.. SCHED=..   run a program of programs/ on an SM built by `make sm`
#:                   (WARPGLASS="check=units sms=2" sets the rest); here as everywhere a wrong word is answered with the valid ones
#:   programs        build every program of programs/ with its golden kernels
#:   questions       the lecture's three questions answered part by part from runs, beside its figures
#:   pitfalls        its six pitfalls: wrong and right programs, factors measured, messages of the tools; writes programs/PITFALLS.md
#:   guide           the course of programs/guide: run its commands, write what they print, draw its figures
#:   wave wave-png P=x   waveform window in GTKWave, or as a picture: V=fetch|sched|mem|barrier, FROM= TO= in SM cycles,
#:                   or AROUND=pc:0x40|block:3|barrier:0 with BEFORE= AFTER=; figures: the README's picture
#:   scene-NAME scenes  a small program in a prepared view (waves/README.md), or its picture; pictures of all
#:   lint synth      Verilator -Wall over rtl/; Yosys over rtl/; area: synth, and rtl/AREA.md (cells, state) from its counts
#:   coverage        every instruction and modifier in lockstep, counted: build/coverage.{tsv,md} (a minute or two)
#:   gen check-gen   regenerate the files made from isa/; fail if a committed one is stale
#:   lab-grade LAB=barrier FILE=x.sv   points for a submission of a course lab, with reasons and a waveform (programs/labs)
#:   lab-grade-all LAB=.. DIR=.. JOBS=n   a folder of submissions in parallel, to CSV and a page each; goes on where it was
#:   mutate SEED=s N=n   alter n random places of rtl/ and name what caught each
#:   bench           simulated cycles per second at each checking level
#:   cycles-update cycles-check   rewrite programs/*/cycles.tsv (and sched-table) and print what moved; compare exactly
#:   sched-table                  rewrite testbench/texts/SCHEDULERS.md: what each warp scheduler does, measured
#:   latency-table   every measured latency of an H200 beside the RTL's, to testbench/silicon/LATENCY.md (an sm32 SM)
#:   memory-curve                 latency against bandwidth of the memory system: model/mem/curve.csv, curve.svg
#:   study-schedulers study-divergence study-blocks study-occupancy   what the literature reports, by sweeps of hours (studies/README.md);
#:                                study-area: gates, flip-flops and depth of each warp scheduler
#:   deps            check or install the Debian packages
#:   clean           remove build/
SHELL := /bin/bash
ifneq ($(words $(CURDIR)),1)
$(error the folder '$(CURDIR)' has a blank in its path, which make cannot work with; remedy: move the checkout)
endif
.DEFAULT_GOAL := help
B := build
CC := clang-19
CXX := clang++-19
CFLAGS := -std=c11 -O2 -g -fPIC -Wall -Wextra -Wshadow -Wconversion -Werror -ffp-contract=off -I.
CXXFLAGS := -std=c++17 -O1 -g -Wall -Wextra -I.
LDLIBS := -lelf -lconfig -ljansson -lz -lm -ldl -lpthread
CCACHE := $(shell command -v ccache 2>/dev/null)
SEED ?= 1

# What may stand on the command line. A misspelt word must not pass for the default that it leaves in force.
TARGETS := help demo demo-dispatch test test-all build units sm run programs questions pitfalls guide wave wave-png figures scenes lint synth area coverage gen check-gen mutate bench \
  cycles-update cycles-check sched-table latency-table memory-curve deps runtime systemc clean \
  study-schedulers study-divergence study-blocks study-occupancy study-area lab-grade lab-grade-all
SCENES := $(shell grep -v '^\#' waves/scenes.tsv | cut -f1)
SCENE_TARGETS := $(addprefix scene-,$(SCENES))
KNOBS := SHAPE VARIANT P ARGS PRESET SCHED V FROM TO AROUND BEFORE AFTER SEED N ONLY RUNS BUILD TEST_ALL WARPGLASS RUN_OPTIONS LAB FILE DIR
TOOLING := B CC CXX CFLAGS CXXFLAGS LDLIBS CCACHE JOBS OUT SHELL MAKE WARPGLASS_HOME WGCC_CLANG WG_SUDO WG_SUB
$(foreach g,$(MAKECMDGOALS),$(if $(findstring /,$(g))$(filter $(TARGETS) $(SCENE_TARGETS),$(g)),,\
  $(error no target '$(g)': one of: $(TARGETS) $(SCENE_TARGETS))))
$(foreach v,$(.VARIABLES),$(if $(filter command,$(origin $(v))),$(if $(filter $(KNOBS) $(TOOLING) MAKE% -%,$(v)),,\
  $(error no variable '$(v)': one of: $(KNOBS)))))
# a command that is missing is told once, where it is first needed. $(1) command
need = $(or $(shell command -v $(firstword $(1))),$(error no command $(1); remedy: make deps, or apt-get install \
  --no-install-recommends $(subst ++,,$(1))))
CC_HERE = $(eval CC_HERE := $$(if $$(call need,$(CC)),$(CC)))$(CC_HERE)
CXX_HERE = $(eval CXX_HERE := $$(if $$(call need,$(CXX)),$(CXX)))$(CXX_HERE)

ROOMS := isa model toolchain cosim
SRCS := $(shell find $(ROOMS) -name '*.c' 2>/dev/null)
MAINS := $(filter %_main.c,$(SRCS))
LIB_OBJS := $(patsubst %.c,$(B)/obj/%.o,$(filter-out %_main.c,$(SRCS)))
TOOLS := $(patsubst %_main.c,$(B)/bin/%,$(notdir $(MAINS)))
UNIT_ROOMS := $(notdir $(wildcard testbench/unit/*))
UNITS := $(addprefix $(B)/test/unit_,$(UNIT_ROOMS))

.PHONY: demo-dispatch help deps build lint synth gen check-gen clean units demo test test-all bench latency-table memory-curve
help:
	@sed -n 's/^#: \{0,2\}/  /p' Makefile
deps:
	@scripts/deps.sh
demo: deps
	@echo "building the tools and one SM of the v100 shape with tracing: a few minutes the first time"
	@$(MAKE) -s -j2 programs $(B)/sm/sm16-wave/libwgsm.so
	@scripts/demo.sh
demo-dispatch: build $(B)/sm/sm16-fast/libwgsm.so
	@scripts/demo_dispatch.sh
# suites and their shares of the budget stand in scripts/suites.txt
test: deps
	scripts/run_tests.py --seed $(SEED)
test-all: deps
	scripts/run_tests.py --all --seed $(SEED)
bench: deps
	@$(MAKE) -s -j2 programs $(B)/sm/sm16-fast/libwgsm.so
	@scripts/bench.sh
latency-table: build $(B)/sm/sm32-fast/libwgsm.so
	testbench/silicon/latency_test.py --all --table testbench/silicon/LATENCY.md
memory-curve: $(B)/bin/wgmem
	scripts/memory_curve.py model/mem/curve
build: deps $(B)/libwg.a $(addprefix $(B)/bin/,$(notdir $(TOOLS))) runtime $(B)/share/man/man1/warpglass.1

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CCACHE) $(CC_HERE) $(CFLAGS) -MMD -MP -c $< -o $@
# the device library: PTX text, a string of libwg.a
DEVLIB_PTX := $(B)/devlib/wg_devlib.ptx
$(DEVLIB_PTX): toolchain/devlib/wg_devlib.cu toolchain/devlib/wg_fifo.h
	@mkdir -p $(@D)
	$(CXX_HERE) -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -Wno-unknown-cuda-version \
	  -Xclang -target-sdk-version=11.5 -Xclang -target-feature -Xclang +ptx64 -Wall -Wextra -Os -I. -S $< -o $@
$(B)/obj/toolchain/devlib/wg_devlib_text.o: CFLAGS += -DWG_DEVLIB_PTX='"$(DEVLIB_PTX)"'
$(B)/obj/toolchain/devlib/wg_devlib_text.o: CCACHE := # .incbin is not in its key
$(B)/obj/toolchain/devlib/wg_devlib_text.o: $(DEVLIB_PTX)
$(B)/libwg.a: $(LIB_OBJS)
	@rm -f $@
	ar rcs $@ $^

# manual page and completion of bash, from the commands' tables
$(B)/share/man/man1/warpglass.1: $(B)/bin/warpglass
	@mkdir -p $(@D) $(B)/share/bash-completion/completions
	@$< --completion > $(B)/share/bash-completion/completions/warpglass
	@$< --man > $@

# results say what they were built with
BUILD_FLAGS := $(CFLAGS)
$(B)/obj/cosim/sweep/sweep_prov.o: CFLAGS += -DWG_BUILD_FLAGS='"$(BUILD_FLAGS)"'
$(B)/bin/warpglass $(B)/test/unit_sweep: LDLIBS += -lsqlite3 -lmd

define tool_rule
$(B)/bin/$(patsubst %_main.c,%,$(notdir $(1))): $(B)/obj/$(1:.c=.o) $(B)/libwg.a
	@mkdir -p $$(@D)
	$(CC) -rdynamic -o $$@ $$< $(B)/libwg.a $$(LDLIBS)
endef
$(foreach m,$(MAINS),$(eval $(call tool_rule,$(m))))

define unit_rule
$(B)/test/unit_$(1): $(patsubst %.cc,$(B)/obj/%.o,$(wildcard testbench/unit/$(1)/*.cc)) $(B)/libwg.a
	@mkdir -p $$(@D)
	$(CXX) -o $$@ $$^ -lgtest -lgtest_main $$(LDLIBS)
endef
$(foreach r,$(UNIT_ROOMS),$(eval $(call unit_rule,$(r))))
$(B)/obj/%.o: %.cc
	@mkdir -p $(@D)
	$(CCACHE) $(CXX_HERE) $(CXXFLAGS) -MMD -MP -c $< -o $@
units: $(UNITS)

# PRESET and SCHED given by hand hold for `make run`
ifdef PRESET
override RUN_OPTIONS += --preset $(PRESET)
endif
ifdef SCHED
override RUN_OPTIONS += --sched $(SCHED)
endif
-include scripts/rtl.mk
-include runtime/room.mk
-include cosim/systemc/room.mk
-include programs/room.mk
-include studies/room.mk
-include waves/room.mk
-include scripts/mutate.mk
-include programs/labs/room.mk

# Words from the command line, before anything is built with them. $(1) variable, $(2) what it may be; none known: no check
check_word = $(if $(strip $(2)),$(if $(and $(filter 1,$(words $($(1)))),$(filter $(2),$($(1)))),,\
  $(error $(1)='$($(1))' is unknown: one of: $(2))))
$(call check_word,SHAPE,$(SHAPES))
$(call check_word,VARIANT,$(VARIANTS))
$(call check_word,P,$(PROGRAMS))
$(call check_word,PRESET,$(basename $(notdir $(wildcard configs/*.cfg))))
$(call check_word,V,$(VIEWS))
ifdef LAB
$(call check_word,LAB,$(LABS))
endif
ifneq ($(origin SCHED),undefined)
$(call check_word,SCHED,$(shell grep -oP '^WG_POLICY.*?"\K\w+' isa/cfg.def | grep -vx ext) plugin:%)
endif

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)

clean:
	rm -rf $(B)
