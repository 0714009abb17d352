# SPDX-License-Identifier: Apache-2.0
# Studies: what the literature reports, by sweeps over whole kernels. A killed one goes on where it was.
STUDIES := schedulers divergence blocks occupancy
STUDY_PROGRAMS := $(sort $(shell awk -F'\t' '!/^\#/ && $$1 != "kernel" { print $$3 }' studies/kernels.tsv))
STUDY_BUILT := $(foreach p,$(STUDY_PROGRAMS),$(B)/programs/$(p)/$(p) $(B)/programs/$(p)/golden.so)

.PHONY: study-schedulers study-divergence study-blocks study-occupancy study-area
$(addprefix study-,$(STUDIES)): study-%: build $(STUDY_BUILT) $(B)/sm/sm16-fast/libwgsm.so
	studies/study.py $*
study-area: deps
	studies/area.py
