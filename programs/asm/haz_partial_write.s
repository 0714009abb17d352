# SPDX-License-Identifier: Apache-2.0
#
# Two guarded writes of one register by complementary lanes, from different pipes.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..7] = fill 0x40000000
# expect: OUT[8..15] = 0x40000000 0x12 0x14 0x16 0x18 0x1a 0x1c 0x1e
# expect: OUT[16..23] = iota*2+0x20
# expect: OUT[24..31] = iota*2+0x30
.kernel haz_partial_write
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R2, 1.0
  ISETP.LT.AND P0, PT, R0, 0x9, PT
  @P0 FADD R1, R2, R2
  @!P0 IMAD R1, R0, 0x2, RZ
  STG.E [R4], R1
  EXIT
