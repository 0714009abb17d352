# SPDX-License-Identifier: Apache-2.0
#
# STL of 8 to 32 bits, LDL with extension; the bytes of a word stay together, other words are not touched.
# Word 4: 0x11223344, then byte 1 = 0x80 + tid, then half 1 = 0xff00 + tid.
#
# block: 32
# buffer: OUT 640
# expect: OUT[0..31] = iota*1+0xffffff80
# expect: OUT[32..63] = iota*1+0xffffff00
# expect: OUT[64..95] = iota*1+0x80
# expect: OUT[96..127] = iota*65792+0xff008044
# expect: OUT[128..159] = iota*3+0x7
.kernel local_sizes
.param 8
.local 12
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R6, 0x11223344
  IADD3 R7, R0, 0x80, RZ
  IADD3 R8, R0, 0xff00, RZ
  IMAD R9, R0, 0x3, RZ
  IADD3 R9, R9, 0x7, RZ
  STL [RZ+0x8], R9
  MOV R10, 0x2
  STL [R10+0x2], R6
  STL.U8 [R10+0x3], R7
  STL.U16 [RZ+0x6], R8
  LDL.S8 R12, [RZ+0x5]
  LDL.S16 R13, [R10+0x4]
  LDL.U8 R14, [RZ+0x5]
  LDL R15, [RZ+0x4]
  LDL R16, [R10+0x6]
  STG.E [R4], R12
  STG.E [R4+0x80], R13
  STG.E [R4+0x100], R14
  STG.E [R4+0x180], R15
  STG.E [R4+0x200], R16
  EXIT
