# SPDX-License-Identifier: Apache-2.0
#
# Blocks with shared memory: each sees its own from offset 0.
#
# grid: 12
# block: 64
# buffer: OUT 3072
# expect: OUT[0..63] = iota*-1+0x3f
# expect: OUT[64..127] = iota*-1+0x427
# expect: OUT[128..191] = iota*-1+0x80f
# expect: OUT[192..255] = iota*-1+0xbf7
# expect: OUT[256..319] = iota*-1+0xfdf
# expect: OUT[320..383] = iota*-1+0x13c7
# expect: OUT[384..447] = iota*-1+0x17af
# expect: OUT[448..511] = iota*-1+0x1b97
# expect: OUT[512..575] = iota*-1+0x1f7f
# expect: OUT[576..639] = iota*-1+0x2367
# expect: OUT[640..703] = iota*-1+0x274f
# expect: OUT[704..767] = iota*-1+0x2b37
.kernel grid_shared
.param 8
.shared 256
  S2R R7, SR_TID.X
  S2R R6, SR_CTAID.X
  IMAD R0, R6, c[0x0][0x0], R7
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IMAD R8, R6, 0x3e8, R7
  SHF.L.U32 R9, R7, 0x2, RZ
  STS [R9], R8
  BAR.SYNC 0x0
  IADD3 R9, -R9, 0xfc, RZ
  LDS R1, [R9]
  STG.E [R4], R1
  EXIT
