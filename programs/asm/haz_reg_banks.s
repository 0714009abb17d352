# SPDX-License-Identifier: Apache-2.0
#
# Three sources from one register bank, then from different ones.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = iota*6+0x2a
.kernel haz_reg_banks
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IADD3 R20, R0, 0x4, RZ
  IADD3 R21, R0, 0x5, RZ
  IADD3 R22, R0, 0x6, RZ
  IADD3 R23, R0, 0x7, RZ
  IADD3 R24, R0, 0x8, RZ
  IADD3 R25, R0, 0x9, RZ
  IADD3 R26, R0, 0xa, RZ
  IADD3 R27, R0, 0xb, RZ
  IADD3 R28, R0, 0xc, RZ
  IADD3 R1, R20, R24, R28
  IADD3 R2, R21, R22, R23
  IADD3 R1, R1, R2, RZ
  STG.E [R4], R1
  EXIT
