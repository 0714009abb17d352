# SPDX-License-Identifier: Apache-2.0
#
# Four warps, two pairs: each pair meets at its own barrier of 64 threads.
#
# block: 128
# buffer: OUT 512
# expect: OUT[0..7] = iota+0x25
# expect: OUT[8..15] = iota+0x2d
# expect: OUT[16..23] = iota+0x35
# expect: OUT[24..31] = iota+0x3d
# expect: OUT[32..39] = iota+0x5
# expect: OUT[40..47] = iota+0xd
# expect: OUT[48..55] = iota+0x15
# expect: OUT[56..63] = iota+0x1d
# expect: OUT[64..71] = iota+0x65
# expect: OUT[72..79] = iota+0x6d
# expect: OUT[80..87] = iota+0x75
# expect: OUT[88..95] = iota+0x7d
# expect: OUT[96..103] = iota+0x45
# expect: OUT[104..111] = iota+0x4d
# expect: OUT[112..119] = iota+0x55
# expect: OUT[120..127] = iota+0x5d
.kernel bar_pairs
.param 8
.shared 512
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R0, 0x5, RZ
  STS [R6], R2
  SHF.R.U32.HI R3, RZ, 0x6, R0
  IADD3 R3, R3, 0x1, RZ
  BAR.SYNC R3, 64
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  STG.E [R4], R1
  EXIT
