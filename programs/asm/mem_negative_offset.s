# SPDX-License-Identifier: Apache-2.0
#
# Negative offset of a memory operand.
#
# block: 32
# buffer: OUT 256
# expect: OUT[0..31] = iota
.kernel mem_negative_offset
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IADD3 R4, R4, 0x80, RZ
  STG.E [R4-0x80], R0
  EXIT
