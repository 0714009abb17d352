# SPDX-License-Identifier: Apache-2.0
#
# The address register of a load is its destination.
#
# block: 32
# buffer: SRC 128 iota*4
# buffer: OUT 128
# expect: OUT = iota*4+1
.kernel haz_war_load
.param 8
.param 8
  S2R R0, SR_TID.X
  MOV R2, c[0x0][0x160]
  MOV R3, c[0x0][0x164]
  IMAD.WIDE.U32 R2, R0, 0x4, R2
  MOV R4, c[0x0][0x168]
  MOV R5, c[0x0][0x16c]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  LDG.E R2, [R2]
  IADD3 R1, R2, 0x1, RZ
  STG.E [R4], R1
  EXIT
