# SPDX-License-Identifier: Apache-2.0
#
# As ctl_brx_split, the splits alternating.
#
# settings: diverge=its split=alternate
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = repeat 0x101 0x102 0x104 0x108
.kernel ctl_brx_split_alternate
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  MOV R1, RZ
  LOP3 R2, R0, 0x3, RZ, 0xc0
  BSSY B0, join
  CALL R6, here
here:
  IMAD.U32 R7, R2, 0x20, R6
  IADD3 R7, R7, 0x30, RZ
  BRX R7
  IADD3 R1, R1, 0x1, RZ
  BRA join
  IADD3 R1, R1, 0x2, RZ
  BRA join
  IADD3 R1, R1, 0x4, RZ
  BRA join
  IADD3 R1, R1, 0x8, RZ
join:
  BSYNC B0
  IADD3 R1, R1, 0x100, RZ
  STG.E [R4], R1
  EXIT
