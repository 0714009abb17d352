# SPDX-License-Identifier: Apache-2.0
#
# Lanes that exit count as arrived at a WARPSYNC and at a BSYNC where others wait already.
#
# settings: diverge=its
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = repeat 2 2 3 1
.kernel ctl_warpsync_exit
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  LOP3 R2, R0, 0x3, RZ, 0xc0
  BSSY B0, join
  ISETP.EQ.AND P0, PT, R2, 0x3, PT
  ISETP.EQ.AND P1, PT, R2, 0x2, PT
  @P0 BRA leave
  @P1 BRA sync
  BRA join
sync:
  WARPSYNC 0xcccccccc
  MOV R1, 0x3
  STG.E [R4], R1
  EXIT
leave:
  MOV R1, 0x1
  STG.E [R4], R1
  NANOSLEEP 0x32
  EXIT
join:
  BSYNC B0
  MOV R1, 0x2
  STG.E [R4], R1
  EXIT
