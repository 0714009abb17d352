# SPDX-License-Identifier: Apache-2.0
#
# Pairs of lanes store to one word: the lower lane of each pair stays.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..7] = 0x0 x2 0x2 x2 0x4 x2 0x6 x2
# expect: OUT[8..15] = 0x8 x2 0xa x2 0xc x2 0xe x2
# expect: OUT[16..23] = 0x10 x2 0x12 x2 0x14 x2 0x16 x2
# expect: OUT[24..31] = 0x18 x2 0x1a x2 0x1c x2 0x1e x2
.kernel smem_same_pairs
.param 8
.shared 64
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.R.U32.HI R6, RZ, 0x1, R0
  SHF.L.U32 R6, R6, 0x2, RZ
  STS [R6], R0
  LDS R1, [R6]
  STG.E [R4], R1
  EXIT
