# SPDX-License-Identifier: Apache-2.0
#
# A guarded compare writes its predicate in the executing lanes only.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = 0x1 x16 0x0 x8 0x1 x8
.kernel ctl_guard_setp
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  ISETP.LT.AND P0, PT, R0, 0x10, PT
  ISETP.GE.AND P1, PT, R0, 0x18, PT
  @P1 ISETP.T.AND P0, PT, R0, R0, PT
  MOV R2, 0x1
  SEL R1, R2, RZ, P0
  STG.E [R4], R1
  EXIT
