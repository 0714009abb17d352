# SPDX-License-Identifier: Apache-2.0
#
# BMOV reads a convergence barrier's mask, and writes it: B2 opened by 12 lanes, moved to B5, closed as B5.
#
# settings: diverge=its
# block: 32
# buffer: OUT 256
# expect: OUT[0..31] = 0xfff x12 0 x20
# expect: OUT[32..63] = 1 x4 2 x8 0 x20
.kernel ctl_bmov
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  ISETP.GE.AND P0, PT, R0, 0xc, PT
  @P0 EXIT
  ISETP.GE.AND P1, PT, R0, 0x4, PT
  BSSY B2, join
  BMOV.RD R2, B2
  STG.E [R4], R2
  BMOV.WR B5, R2
  @P1 BRA other
  MOV R1, 0x1
  BRA join
other:
  MOV R1, 0x2
join:
  BSYNC B5
  STG.E [R4+0x80], R1
  BMOV.RD R3, B7
  EXIT
