# SPDX-License-Identifier: Apache-2.0
#
# Ten nested convergence barriers, each side split once more: the stack holds 20 entries.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa x22
.kernel ctl_deep_nest
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R1, RZ
  BSSY B0, j0
  ISETP.LT.AND P0, PT, R0, 0x1, PT
  @P0 BRA j0
  IADD3 R1, R1, 0x1, RZ
  BSSY B1, j1
  ISETP.LT.AND P0, PT, R0, 0x2, PT
  @P0 BRA j1
  IADD3 R1, R1, 0x1, RZ
  BSSY B2, j2
  ISETP.LT.AND P0, PT, R0, 0x3, PT
  @P0 BRA j2
  IADD3 R1, R1, 0x1, RZ
  BSSY B3, j3
  ISETP.LT.AND P0, PT, R0, 0x4, PT
  @P0 BRA j3
  IADD3 R1, R1, 0x1, RZ
  BSSY B4, j4
  ISETP.LT.AND P0, PT, R0, 0x5, PT
  @P0 BRA j4
  IADD3 R1, R1, 0x1, RZ
  BSSY B5, j5
  ISETP.LT.AND P0, PT, R0, 0x6, PT
  @P0 BRA j5
  IADD3 R1, R1, 0x1, RZ
  BSSY B6, j6
  ISETP.LT.AND P0, PT, R0, 0x7, PT
  @P0 BRA j6
  IADD3 R1, R1, 0x1, RZ
  BSSY B7, j7
  ISETP.LT.AND P0, PT, R0, 0x8, PT
  @P0 BRA j7
  IADD3 R1, R1, 0x1, RZ
  BSSY B8, j8
  ISETP.LT.AND P0, PT, R0, 0x9, PT
  @P0 BRA j8
  IADD3 R1, R1, 0x1, RZ
  BSSY B9, j9
  ISETP.LT.AND P0, PT, R0, 0xa, PT
  @P0 BRA j9
  IADD3 R1, R1, 0x1, RZ
j9:
  BSYNC B9
j8:
  BSYNC B8
j7:
  BSYNC B7
j6:
  BSYNC B6
j5:
  BSYNC B5
j4:
  BSYNC B4
j3:
  BSYNC B3
j2:
  BSYNC B2
j1:
  BSYNC B1
j0:
  BSYNC B0
  STG.E [R4], R1
  EXIT
