# SPDX-License-Identifier: Apache-2.0
#
# The barrier number from a register, the count from a register.
#
# block: 96
# buffer: OUT 384
# expect: OUT[0..95] = iota*-1+0x5f
.kernel bar_register_id
.param 8
.shared 384
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R6, R0, 0x2, RZ
  STS [R6], R0
  MOV R2, 0xb
  MOV R3, 0x60
  BAR.SYNC R2, R3
  IADD3 R7, -R6, 0x17c, RZ
  LDS R1, [R7]
  STG.E [R4], R1
  EXIT
