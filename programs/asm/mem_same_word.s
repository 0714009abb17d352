# SPDX-License-Identifier: Apache-2.0
#
# All lanes load one word.
#
# block: 64
# buffer: SRC 16 0x11 0x22 0x33 0x44
# buffer: OUT 256
# expect: OUT = fill 0x33
.kernel mem_same_word
.param 8
.param 8
  S2R R0, SR_TID.X
  MOV R2, c[0x0][0x160]
  MOV R3, c[0x0][0x164]
  MOV R4, c[0x0][0x168]
  MOV R5, c[0x0][0x16c]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  LDG.E R1, [R2+0x8]
  STG.E [R4], R1
  EXIT
