# SPDX-License-Identifier: Apache-2.0
#
# An array of eight words a thread, written in a loop (word i = 100 * tid + i), read at an index that differs from lane
# to lane: 7 - tid % 8, eight lines.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..7] = iota*99+0x7
# expect: OUT[8..15] = iota*99+0x327
# expect: OUT[16..23] = iota*99+0x647
# expect: OUT[24..31] = iota*99+0x967
.kernel local_index
.param 8
.local 32
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IMAD R6, R0, 0x64, RZ
  MOV R7, RZ
loop:
  SHF.L.U32 R8, R7, 0x2, RZ
  IADD3 R9, R6, R7, RZ
  STL [R8], R9
  IADD3 R7, R7, 0x1, RZ
  ISETP.LT.AND P0, PT, R7, 0x8, PT
  @P0 BRA.U loop
  LOP3 R10, R0, 0x7, RZ, 0xc0
  SHF.L.U32 R10, R10, 0x2, RZ
  IADD3 R10, -R10, RZ, RZ
  LDL R11, [R10+0x1c]
  STG.E [R4], R11
  EXIT
