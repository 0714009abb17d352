# SPDX-License-Identifier: Apache-2.0
#
# Lanes load in reversed order.
#
# block: 32
# buffer: SRC 128 iota*5
# buffer: OUT 128
# expect: OUT = iota*-5+155
.kernel mem_permuted
.param 8
.param 8
  S2R R0, SR_TID.X
  IADD3 R6, -R0, 0x1f, RZ
  MOV R2, c[0x0][0x160]
  MOV R3, c[0x0][0x164]
  IMAD.WIDE.U32 R2, R6, 0x4, R2
  MOV R4, c[0x0][0x168]
  MOV R5, c[0x0][0x16c]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  LDG.E R1, [R2]
  STG.E [R4], R1
  EXIT
