# SPDX-License-Identifier: Apache-2.0
#
# Two warps write the same offset of their frames, meet, and find their own values.
#
# block: 64
# buffer: OUT 256
# expect: OUT[0..63] = iota*5+0x3
.kernel local_two_warps
.param 8
.local 4
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IMAD R6, R0, 0x5, RZ
  IADD3 R6, R6, 0x3, RZ
  STL [RZ], R6
  BAR.SYNC 0x0
  LDL R7, [RZ]
  STG.E [R4], R7
  EXIT
