# SPDX-License-Identifier: Apache-2.0
# RTL: verilated SMs, lint, synthesis, generated files.
SHAPES := $(shell grep -oP '^WG_SHAPE.\K\w+' isa/cfg.def)
VARIANTS := fast wave inject
SHAPE ?= tiny
VARIANT ?= fast
RTL_SRCS := $(shell cat rtl/sm.f) $(wildcard testbench/probe/*.sv testbench/sva/*.sv) rtl/lint.vlt

.PHONY: sm
sm: $(B)/sm/$(SHAPE)-$(VARIANT)/libwgsm.so
define sm_rule
$(B)/sm/$(1)-$(2)/libwgsm.so: $(RTL_SRCS) cosim/sm_dut_vl.cc cosim/sm_dut_cpu.c cosim/sm_dut.h cosim/probe.h isa/cfg.def scripts/verilate.sh cosim/inject.def testbench/inject.vlt
	scripts/verilate.sh $(1) $(2)
endef
$(foreach s,$(SHAPES),$(foreach v,$(VARIANTS),$(eval $(call sm_rule,$(s),$(v)))))

lint: deps
	scripts/lint.sh
synth: deps
	scripts/synth.sh
.PHONY: area
area: deps
	scripts/synth.sh --update
.PHONY: coverage
coverage: deps $(B)/bin/wgcover $(B)/sm/tiny-fast/libwgsm.so
	testbench/coverage/coverage.py --report
gen: $(B)/bin/isagen $(B)/bin/mufugen $(B)/bin/warpglass
	$(B)/bin/isagen . && $(B)/bin/mufugen . && $(B)/bin/warpglass schema >cosim/cli/run.schema.json
check-gen: $(B)/bin/isagen $(B)/bin/mufugen $(B)/bin/warpglass
	scripts/check_gen.sh
