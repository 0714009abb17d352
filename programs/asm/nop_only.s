# SPDX-License-Identifier: Apache-2.0
#
# NOP does nothing; then the block ends.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = fill 0x3
.kernel nop_only
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R1, 0x3
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  NOP
  STG.E [R4], R1
  EXIT
