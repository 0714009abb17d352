# SPDX-License-Identifier: Apache-2.0
# Course labs: programs/labs/README.md; graders: testbench/labs.
LABS := $(shell grep -v '^\#' programs/labs/labs.tsv | cut -f1)
.PHONY: lab-grade lab-grade-all
# names of files go by the environment: they may have blanks and quotes
lab-grade lab-grade-all: export LAB_NAME = $(value LAB)
lab-grade: export LAB_PATH = $(value FILE)
lab-grade-all: export LAB_PATH = $(value DIR)
lab-grade-all: export LAB_JOBS = $(value JOBS)
lab-grade:
	@if [ -z "$$LAB_NAME" ] || [ -z "$$LAB_PATH" ]; then echo "error: LAB or FILE is missing; remedy: make lab-grade LAB=barrier FILE=my.sv;" \
	  "LAB is one of: $(LABS)" >&2; exit 2; fi; exec testbench/labs/grade.py -- "$$LAB_NAME" "$$LAB_PATH"
lab-grade-all:
	@if [ -z "$$LAB_NAME" ] || [ -z "$$LAB_PATH" ]; then echo "error: LAB or DIR is missing; remedy: make lab-grade-all LAB=barrier DIR=class;" \
	  "LAB is one of: $(LABS)" >&2; exit 2; fi; exec testbench/labs/grade_all.py $${LAB_JOBS:+--jobs "$$LAB_JOBS"} -- "$$LAB_NAME" "$$LAB_PATH"
