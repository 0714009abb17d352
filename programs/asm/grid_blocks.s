# SPDX-License-Identifier: Apache-2.0
#
# Forty blocks of 96 threads: every block writes its part.
#
# grid: 40
# block: 96
# buffer: OUT 15360
# expect: OUT = iota*3
.kernel grid_blocks
.param 8
  S2R R0, SR_TID.X
  S2R R6, SR_CTAID.X
  IMAD R0, R6, c[0x0][0x0], R0
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IMAD R1, R0, 0x3, RZ
  STG.E [R4], R1
  EXIT
