# SPDX-License-Identifier: Apache-2.0
#
# A reduction in both arms of a branch: the lanes gather and bring their predicates together.
#
# settings: diverge=its
# block: 64
# buffer: OUT 256
# expect: OUT[0..63] = fill 40
.kernel bar_red_arms
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  LOP3 R2, R0, 0x1, RZ, 0xc0
  ISETP.NE.AND P0, PT, R2, RZ, PT
  ISETP.LT.AND P1, PT, R0, 0x28, PT
  BSSY B0, join
  @P0 BRA odd
  BAR.RED.POPC 0x4, P1
  BRA join
odd:
  BAR.RED.POPC 0x4, P1
join:
  BSYNC B0
  S2R R3, SR_BARRESULT
  STG.E [R4], R3
  EXIT
