# SPDX-License-Identifier: Apache-2.0
#
# A predicate used as guard and as branch condition at once behind its compare.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = 0x1 x4 0xc x28
.kernel haz_guard
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R1, 0x2
  ISETP.LT.AND P0, PT, R0, 0x4, PT
  @P0 MOV R1, 0x1
  ISETP.LT.AND P1, PT, R0, 0x4, PT
  BSSY B0, join
  @P1 BRA join
  IADD3 R1, R1, 0xa, RZ
join:
  BSYNC B0
  STG.E [R4], R1
  EXIT
