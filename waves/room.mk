# SPDX-License-Identifier: Apache-2.0
# Waveforms: make wave P=convolve_1d [ARGS=4096] [V=sched] [FROM=0 TO=2000 | AROUND=pc:0x40 | block:3 | barrier:0] [PRESET=tiny]
VIEWS := fetch sched mem barrier arrival warps lanes blocks
V ?= sched
PRESET ?= tiny
.PHONY: wave wave-png
wave wave-png: programs
	waves/wave.sh $(if $(filter wave-png,$@),--png) --program $(P) --args "$(ARGS)" --view $(V) --preset $(PRESET) \
	  $(if $(FROM),--from $(FROM)) $(if $(TO),--to $(TO)) $(if $(AROUND),--around $(AROUND)) $(if $(BEFORE),--before $(BEFORE)) $(if $(AFTER),--after $(AFTER))
# The picture of the README: the scheduler around the first block barrier of convolve_v2.
.PHONY: figures
figures: programs
	waves/wave.sh --png --program convolve_1d --args 512 --view sched --around barrier:0 --before 18 --after 12 --out $(B)/wave/convolve_sched.png
	waves/keep.sh $(B)/wave/convolve_sched.png waves/convolve_sched.png

# Scenes: a small program in a prepared view (waves/scenes.tsv); without a display a picture, build/wave/scene-NAME.png
.PHONY: scenes
.PHONY: $(SCENE_TARGETS)
$(SCENE_TARGETS): scene-%: build
	waves/scene.sh $*
# all pictures, and the page that shows them
scenes: build
	waves/scenes.sh
