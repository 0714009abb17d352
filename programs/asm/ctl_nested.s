# SPDX-License-Identifier: Apache-2.0
#
# Nested if / else in both sides, two convergence barriers.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = repeat 0x68 0x45 0x68 0x43 0x58 0x45 0x58 0x43
.kernel ctl_nested
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R1, RZ
  LOP3 R2, R0, 0x1, RZ, 0xc0
  ISETP.NE.AND P0, PT, R2, RZ, PT
  LOP3 R2, R0, 0x2, RZ, 0xc0
  ISETP.NE.AND P1, PT, R2, RZ, PT
  LOP3 R2, R0, 0x4, RZ, 0xc0
  ISETP.NE.AND P2, PT, R2, RZ, PT
  BSSY B0, j0
  @P0 BRA odd
  IADD3 R1, R1, 0x8, RZ
  BSSY B1, j1
  @P2 BRA e4
  IADD3 R1, R1, 0x20, RZ
  BRA j1
e4:
  IADD3 R1, R1, 0x10, RZ
j1:
  BSYNC B1
  BRA j0
odd:
  IADD3 R1, R1, 0x1, RZ
  BSSY B2, j2
  @P1 BRA o2
  IADD3 R1, R1, 0x4, RZ
  BRA j2
o2:
  IADD3 R1, R1, 0x2, RZ
j2:
  BSYNC B2
j0:
  BSYNC B0
  IADD3 R1, R1, 0x40, RZ
  STG.E [R4], R1
  EXIT
