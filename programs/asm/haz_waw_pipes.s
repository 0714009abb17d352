# SPDX-License-Identifier: Apache-2.0
#
# MUFU, fp32 and integer write one register in turn.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = iota+0x3
.kernel haz_waw_pipes
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R2, 2.0
  MUFU.RCP R1, R2
  FADD R1, R2, R2
  IADD3 R1, R0, 0x3, RZ
  STG.E [R4], R1
  EXIT
