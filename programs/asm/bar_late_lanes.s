# SPDX-License-Identifier: Apache-2.0
#
# Lanes leave a loop at different times and meet at a barrier without a BSYNC before it (silicon/warp/corner.csv, test 4);
# lanes that exit late complete the gathering of the others.
#
# settings: diverge=its
# block: 64
# buffer: OUT 256
# expect: OUT[0..63] = repeat 1 1 1 1 1 1 1 0
.kernel bar_late_lanes
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  LOP3 R2, R0, 0x7, RZ, 0xc0
  ISETP.EQ.AND P1, PT, R2, 0x7, PT
loop:
  IADD3 R2, R2, -0x1, RZ
  ISETP.GE.AND P0, PT, R2, RZ, PT
  @P0 BRA loop
  @P1 EXIT
  BAR.SYNC 0x0
  MOV R1, 0x1
  STG.E [R4], R1
  EXIT
