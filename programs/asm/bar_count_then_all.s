# SPDX-License-Identifier: Apache-2.0
#
# A barrier used with a count of two warps first, later by all four without a count.
#
# block: 128
# buffer: OUT 512
# expect: OUT[0..7] = iota*-1+0x7f
# expect: OUT[8..15] = iota*-1+0x77
# expect: OUT[16..23] = iota*-1+0x6f
# expect: OUT[24..31] = iota*-1+0x67
# expect: OUT[32..39] = iota*-1+0x5f
# expect: OUT[40..47] = iota*-1+0x57
# expect: OUT[48..55] = iota*-1+0x4f
# expect: OUT[56..63] = iota*-1+0x47
# expect: OUT[64..71] = iota*-1+0x83
# expect: OUT[72..79] = iota*-1+0x7b
# expect: OUT[80..87] = iota*-1+0x73
# expect: OUT[88..95] = iota*-1+0x6b
# expect: OUT[96..103] = iota*-1+0xa3
# expect: OUT[104..111] = iota*-1+0x9b
# expect: OUT[112..119] = iota*-1+0x93
# expect: OUT[120..127] = iota*-1+0x8b
.kernel bar_count_then_all
.param 8
.shared 512
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R6, R0, 0x2, RZ
  SHF.R.U32.HI R2, RZ, 0x5, R0
  ISETP.GE.AND P0, PT, R2, 0x2, PT
  STS [R6], R0
  @P0 BRA all
  BAR.SYNC 0x3, 64
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R3, [R7]
  BAR.SYNC 0x3, 64
  IADD3 R3, R3, 0x64, RZ
  STS [R6], R3
all:
  BAR.SYNC 0x0
  BAR.SYNC 0x3
  IADD3 R7, -R6, 0x1fc, RZ
  LDS R1, [R7]
  STG.E [R4], R1
  EXIT
