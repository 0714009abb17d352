# SPDX-License-Identifier: Apache-2.0
#
# `sync` in one arm and `arrive` in the other arm of one warp, count 64 (silicon/warp/corner.csv, test 3): hangs.
#
# settings: diverge=its
# block: 64
# buffer: OUT 256
# expect-hang
.kernel hang_bar_arms
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  LOP3 R2, R0, 0x1, RZ, 0xc0
  ISETP.NE.AND P0, PT, R2, RZ, PT
  BSSY B0, join
  @P0 BRA odd
  BAR.ARV 0x1, 64
  BRA join
odd:
  BAR.SYNC 0x1, 64
join:
  BSYNC B0
  STG.E [R4], R0
  EXIT
