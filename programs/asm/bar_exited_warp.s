# SPDX-License-Identifier: Apache-2.0
#
# Warps 2 and 3 exit at once: the barrier of all threads waits for the others only.
#
# block: 128
# buffer: OUT 512
# expect: OUT[0..7] = iota+0x20
# expect: OUT[8..15] = iota+0x28
# expect: OUT[16..23] = iota+0x30
# expect: OUT[24..31] = iota+0x38
# expect: OUT[32..39] = iota
# expect: OUT[40..47] = iota+0x8
# expect: OUT[48..55] = iota+0x10
# expect: OUT[56..63] = iota+0x18
# expect: OUT[64..71] = fill 0x0
# expect: OUT[72..79] = fill 0x0
# expect: OUT[80..87] = fill 0x0
# expect: OUT[88..95] = fill 0x0
# expect: OUT[96..103] = fill 0x0
# expect: OUT[104..111] = fill 0x0
# expect: OUT[112..119] = fill 0x0
# expect: OUT[120..127] = fill 0x0
.kernel bar_exited_warp
.param 8
.shared 512
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  ISETP.GE.AND P0, PT, R0, 0x40, PT
  @P0 EXIT
  SHF.L.U32 R6, R0, 0x2, RZ
  STS [R6], R0
  BAR.SYNC 0x0
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  STG.E [R4], R1
  EXIT
