# SPDX-License-Identifier: Apache-2.0
#
# BREAK by the lanes for which others wait already lets these go.
#
# settings: diverge=its
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = repeat 8 9
.kernel ctl_break_waiting
.param 8
.shared 4
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  STS [RZ], RZ
  LOP3 R2, R0, 0x1, RZ, 0xc0
  ISETP.NE.AND P0, PT, R2, RZ, PT
  BSSY B1, join
  @P0 BRA odd
join:
  BSYNC B1
  MOV R3, 0x1
  STS [RZ], R3
  MOV R1, 0x8
  STG.E [R4], R1
  EXIT
odd:
  BREAK B1
poll:
  LDS R2, [RZ]
  ISETP.EQ.AND P1, PT, R2, RZ, PT
  YIELD
  @P1 BRA poll
  MOV R1, 0x9
  STG.E [R4], R1
  EXIT
