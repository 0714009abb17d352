# SPDX-License-Identifier: Apache-2.0
# Altered RTL: `make mutate SEED=s N=40 [ONLY='rtl/exec/*']`; what is checked stands in scripts/mutate.cfg.
.PHONY: mutate
mutate: deps
	nice -n 5 scripts/mutate.py --seed $(SEED) --n $(or $(N),40) $(if $(ONLY),--only '$(ONLY)')
