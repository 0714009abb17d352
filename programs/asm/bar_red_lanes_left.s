# SPDX-License-Identifier: Apache-2.0
#
# A reduction where the odd lanes have left (silicon/warp/corner.csv, test 5): only lanes that are there count.
#
# block: 64
# buffer: OUT 256
# expect: OUT[0..63] = repeat 0x14 7
.kernel bar_red_lanes_left
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  LOP3 R2, R0, 0x1, RZ, 0xc0
  ISETP.NE.AND P0, PT, R2, RZ, PT
  @P0 BRA leave
  ISETP.LT.AND P1, PT, R0, 0x28, PT
  BAR.RED.POPC 0x0, P1
  S2R R3, SR_BARRESULT
  STG.E [R4], R3
  EXIT
leave:
  MOV R3, 0x7
  STG.E [R4], R3
  EXIT
