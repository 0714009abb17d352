# SPDX-License-Identifier: Apache-2.0
#
# BSSY.RD keeps each lane's mask across calls that use the same barrier. The two halves of the warp open B0 apart, with masks of
# their own, and may run the function together: behind the call each lane has to get back its own.
#
# settings: diverge=its split=alternate
# block: 32
# buffer: OUT 384
# expect: OUT[0..31] = 0xffff x16 0xffff0000 x16
# expect: OUT[32..63] = 7 x8 0 x8 7 x8 0 x8
# expect: OUT[64..95] = 0xffffffff x32
.kernel ctl_bssy_rd
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R1, RZ
  LOP3 R6, R0, 0x8, RZ, 0xc0
  ISETP.NE.AND P0, PT, R6, RZ, PT
  LOP3 R6, R0, 0x4, RZ, 0xc0
  ISETP.NE.AND P1, PT, R6, RZ, PT
  ISETP.GE.AND P2, PT, R0, 0x10, PT
  BSSY B1, end
  @P2 BRA upper
  BSSY.RD R2, B0, low
  @P0 BRA low
  CALL R20, fn
  BMOV.WR B0, R2
  MOV R1, 0x7
low:
  BSYNC B0
  BRA end
upper:
  BSSY.RD R2, B0, high
  @P0 BRA high
  CALL R20, fn
  BMOV.WR B0, R2
  MOV R1, 0x7
high:
  BSYNC B0
end:
  BSYNC B1
  VOTE.ANY R3, PT, 0xffffffff, PT
  STG.E [R4], R2
  STG.E [R4+0x80], R1
  STG.E [R4+0x100], R3
  EXIT
fn:
  BSSY B0, met
  @P1 BRA met
  NOP
  NOP
met:
  BSYNC B0
  RET R20
