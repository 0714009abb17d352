# SPDX-License-Identifier: Apache-2.0
# Course labs: programs/labs/README.md; graders: testbench/labs.
LABS := $(shell grep -v '^\#' programs/labs/labs.tsv | cut -f1)
.PHONY: lab-grade lab-grade-all
lab-grade:
	@$(if $(and $(LAB),$(FILE)),testbench/labs/grade.py $(LAB) '$(FILE)',echo "error: LAB or FILE is missing; remedy: make lab-grade LAB=barrier \
	  FILE=my.sv; LAB is one of: $(LABS)" >&2; exit 2)
lab-grade-all:
	@$(if $(and $(LAB),$(DIR)),testbench/labs/grade_all.py $(LAB) '$(DIR)' $(if $(JOBS),--jobs $(JOBS)),echo "error: LAB or DIR is missing; remedy: \
	  make lab-grade-all LAB=barrier DIR=class; LAB is one of: $(LABS)" >&2; exit 2)
