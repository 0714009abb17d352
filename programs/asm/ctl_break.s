# SPDX-License-Identifier: Apache-2.0
#
# BREAK: lanes that leave a convergence barrier need not come to its BSYNC.
#
# settings: diverge=its
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = repeat 5 6 5 5
.kernel ctl_break
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  LOP3 R2, R0, 0x3, RZ, 0xc0
  ISETP.EQ.AND P0, PT, R2, 0x1, PT
  BSSY B3, join
  @P0 BREAK B3
  @P0 BRA away
  NOP
join:
  BSYNC B3
  MOV R1, 0x5
  STG.E [R4], R1
  EXIT
away:
  MOV R1, 0x6
wait:
  NANOSLEEP 0x14
  STG.E [R4], R1
  EXIT
