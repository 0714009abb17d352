# SPDX-License-Identifier: Apache-2.0
#
# Three phases between barriers over 4 warps: everyone sees what all wrote before.
#
# block: 128
# buffer: OUT 512
# expect: OUT[0..7] = iota*-1+0x447
# expect: OUT[8..15] = iota*-1+0x43f
# expect: OUT[16..23] = iota*-1+0x437
# expect: OUT[24..31] = iota*-1+0x42f
# expect: OUT[32..39] = iota*-1+0x467
# expect: OUT[40..47] = iota*-1+0x45f
# expect: OUT[48..55] = iota*-1+0x457
# expect: OUT[56..63] = iota*-1+0x44f
# expect: OUT[64..71] = iota*-1+0x407
# expect: OUT[72..79] = iota*-1+0x3ff
# expect: OUT[80..87] = iota*-1+0x3f7
# expect: OUT[88..95] = iota*-1+0x3ef
# expect: OUT[96..103] = iota*-1+0x427
# expect: OUT[104..111] = iota*-1+0x41f
# expect: OUT[112..119] = iota*-1+0x417
# expect: OUT[120..127] = iota*-1+0x40f
.kernel bar_order
.param 8
.shared 512
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R6, R0, 0x2, RZ
  STS [R6], R0
  BAR.SYNC 0x0
  IADD3 R7, -R6, 0x1fc, RZ
  LDS R2, [R7]
  BAR.SYNC 0x0
  IADD3 R2, R2, 0x3e8, RZ
  STS [R6], R2
  BAR.SYNC 0x0
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  STG.E [R4], R1
  EXIT
