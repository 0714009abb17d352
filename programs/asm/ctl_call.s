# SPDX-License-Identifier: Apache-2.0
#
# A function called from two places, from both sides of a branch, and from another function.
#
# block: 64
# buffer: OUT 256
# expect: OUT[0..63] = repeat 0x117 0x11d
.kernel ctl_call
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  MOV R1, 0x5
  LOP3 R2, R0, 0x1, RZ, 0xc0
  ISETP.NE.AND P0, PT, R2, RZ, PT
  CALL R20, twice
  IADD3 R1, R1, 0x1, RZ
  BSSY B0, join
  @P0 BRA odd
  CALL R20, twice
  BRA join
odd:
  IADD3 R1, R1, 0x3, RZ
  CALL R20, twice
join:
  BSYNC B0
  CALL R20, outer
  STG.E [R4], R1
  EXIT
twice:
  IADD3 R1, R1, R1, RZ
  RET R20
outer:
  MOV R16, R20
  IADD3 R1, R1, 0x1, RZ
  CALL R20, add
  RET R16
add:
  IADD3 R1, R1, 0x100, RZ
  RET R20
