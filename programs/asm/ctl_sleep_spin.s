# SPDX-License-Identifier: Apache-2.0
#
# Backing off with NANOSLEEP: the waiting split sleeps, the writing one runs meanwhile.
#
# settings: diverge=its
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = 7 9 1 x30
.kernel ctl_sleep_spin
.param 8
.shared 4
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  STS [RZ], RZ
  MOV R1, 0x1
  ISETP.GE.AND P0, PT, R0, 0x2, PT
  ISETP.EQ.AND P1, PT, R0, 0x1, PT
  BSSY B0, join
  @P0 BRA join
  @P1 BRA write
poll:
  LDS R2, [RZ]
  ISETP.NE.AND P2, PT, R2, RZ, PT
  @P2 BRA got
  NANOSLEEP 0x40
  BRA poll
got:
  MOV R1, 0x7
  BRA join
write:
  MOV R2, 0x1
  STS [RZ], R2
  MOV R1, 0x9
  BRA join
join:
  BSYNC B0
  STG.E [R4], R1
  EXIT
