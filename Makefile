# SPDX-License-Identifier: Apache-2.0
# Warpglass: `make` alone prints this help.
#:   demo            set up, build, run the lecture's convolution from its .cu on the RTL, write report and waveform
#:   test            seeded sample of everything within its budget (SEED=n repeats a run)
#:   test-all        every test
#:   build           libraries, tools, runtime
#:   sm SHAPE=s VARIANT=v   verilate one SM (s: tiny sm16 sm32; v: fast wave inject)
#:   run P=x ARGS=.. PRESET=..   run a program of programs/ on an SM built by `make sm` (WARPGLASS="sched=gto check=units"
#:                   sets the rest); here as everywhere a wrong word is answered with the valid ones
#:   programs        build every program of programs/ with its golden kernels
#:   wave wave-png P=x   waveform window in GTKWave, or as a picture: V=fetch|sched|mem|barrier, FROM= TO= in SM cycles,
#:                   or AROUND=pc:0x40|block:3|barrier:0 with BEFORE= AFTER=; figures: the README's picture
#:   lint synth      Verilator -Wall over rtl/; Yosys over rtl/
#:   gen check-gen   regenerate the files made from isa/; fail if a committed one is stale
#:   mutate SEED=s N=n   alter n random places of rtl/ and name what caught each
#:   bench           simulated cycles per second at each checking level
#:   cycles-update cycles-check   rewrite programs/*/cycles.tsv and print what moved; compare exactly
#:   deps            check or install the Debian packages
#:   clean           remove build/
SHELL := /bin/bash
.DEFAULT_GOAL := help
B := build
CC := clang-19
CXX := clang++-19
CFLAGS := -std=c11 -O2 -g -fPIC -Wall -Wextra -Wshadow -Wconversion -Werror -ffp-contract=off -I.
CXXFLAGS := -std=c++17 -O1 -g -Wall -Wextra -I.
LDLIBS := -lelf -lconfig -ljansson -lz -lm -ldl -lpthread
CCACHE := $(shell command -v ccache 2>/dev/null)
SEED ?= 1

ROOMS := isa model toolchain cosim
SRCS := $(shell find $(ROOMS) -name '*.c' 2>/dev/null)
MAINS := $(filter %_main.c,$(SRCS))
LIB_OBJS := $(patsubst %.c,$(B)/obj/%.o,$(filter-out %_main.c,$(SRCS)))
TOOLS := $(patsubst %_main.c,$(B)/bin/%,$(notdir $(MAINS)))
UNIT_ROOMS := $(notdir $(wildcard testbench/unit/*))
UNITS := $(addprefix $(B)/test/unit_,$(UNIT_ROOMS))

.PHONY: help deps build lint synth gen check-gen clean units demo test test-all bench
help:
	@sed -n 's/^#: \{0,2\}/  /p' Makefile
deps:
	@scripts/deps.sh
demo: deps
	@echo "building the tools and one SM of the v100 shape with tracing: a few minutes the first time"
	@$(MAKE) -s -j2 programs $(B)/sm/sm16-wave/libwgsm.so
	@scripts/demo.sh
# suites and their shares of the budget stand in scripts/suites.txt
test: deps
	scripts/run_tests.py --seed $(SEED)
test-all: deps
	scripts/run_tests.py --all --seed $(SEED)
bench: deps
	@$(MAKE) -s -j2 programs $(B)/sm/sm16-fast/libwgsm.so
	@scripts/bench.sh
build: deps $(B)/libwg.a $(addprefix $(B)/bin/,$(notdir $(TOOLS))) runtime

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CCACHE) $(CC) $(CFLAGS) -MMD -MP -c $< -o $@
$(B)/libwg.a: $(LIB_OBJS)
	@rm -f $@
	ar rcs $@ $^

define tool_rule
$(B)/bin/$(patsubst %_main.c,%,$(notdir $(1))): $(B)/obj/$(1:.c=.o) $(B)/libwg.a
	@mkdir -p $$(@D)
	$(CC) -rdynamic -o $$@ $$< $(B)/libwg.a $(LDLIBS)
endef
$(foreach m,$(MAINS),$(eval $(call tool_rule,$(m))))

define unit_rule
$(B)/test/unit_$(1): $(patsubst %.cc,$(B)/obj/%.o,$(wildcard testbench/unit/$(1)/*.cc)) $(B)/libwg.a
	@mkdir -p $$(@D)
	$(CXX) -o $$@ $$^ -lgtest -lgtest_main $(LDLIBS)
endef
$(foreach r,$(UNIT_ROOMS),$(eval $(call unit_rule,$(r))))
$(B)/obj/%.o: %.cc
	@mkdir -p $(@D)
	$(CCACHE) $(CXX) $(CXXFLAGS) -MMD -MP -c $< -o $@
units: $(UNITS)

# PRESET given by hand also holds for `make run`
ifdef PRESET
RUN_OPTIONS += --preset $(PRESET)
endif
-include scripts/rtl.mk
-include runtime/room.mk
-include programs/room.mk
-include waves/room.mk
-include scripts/mutate.mk

# Words from the command line, before anything is built with them. $(1) variable, $(2) what it may be; none known: no check
check_word = $(if $(strip $(2)),$(if $(and $(filter 1,$(words $($(1)))),$(filter $(2),$($(1)))),,\
  $(error $(1)='$($(1))' is unknown: one of: $(2))))
$(call check_word,SHAPE,$(SHAPES))
$(call check_word,VARIANT,$(VARIANTS))
$(call check_word,P,$(PROGRAMS))
$(call check_word,PRESET,$(basename $(notdir $(wildcard configs/*.cfg))))
$(call check_word,V,$(VIEWS))

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)

clean:
	rm -rf $(B)
