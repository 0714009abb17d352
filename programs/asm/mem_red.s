# SPDX-License-Identifier: Apache-2.0
#
# Global atomics of 32 bits without a result: eight lanes on each of four words.
#
# block: 32
# buffer: OUT 128
# buffer: FINAL 192
# init: FINAL[0..3] = iota*0x11111111+0x80000000
# init: FINAL[4..7] = iota*0x11111111+0x80000000
# init: FINAL[8..11] = iota*0x11111111+0x80000000
# init: FINAL[12..15] = iota*0x11111111+0x80000000
# init: FINAL[16..19] = iota*0x11111111+0x80000000
# init: FINAL[20..23] = iota*1+0
# init: FINAL[24..27] = iota*1+0
# init: FINAL[28..31] = iota*0x11111111+0x80000000
# init: FINAL[32..35] = iota*0x11111111+0x80000000
# init: FINAL[36..39] = iota*0x11111111+0x80000000
# init: FINAL[40..43] = iota*0x11111111+0x80000000
# init: FINAL[44..47] = iota*1+0
# expect: FINAL[0..7] = 0xb84e5798 0xbb1b3631 0xbde814ca 0xc0b4f363 0x12345 0x8d25142 0x11a37f3f 0x28b8dfb4
# expect: FINAL[8..15] = 0xf1bcf0cd 0xfa8e1eca 0xb54dfd6b 0xdaa79058 0x80000000 0x81b03806 0x8a816603 0xafdaf8f0
# expect: FINAL[16..23] = 0x78df0a09 0x736c058e 0x3c7016a7 0x5385771c 0x2 0x3 0x4 0x5
# expect: FINAL[24..31] = 0x4 0x5 0x0 0x1 0x0 x2 0x2 0x0
# expect: FINAL[32..39] = 0xfffffffd 0xffffffff 0xbfffffff 0xffffffff 0x47f0ec20 0x7b02fa71 0xbe3dd7c2 0xbcb3d333
# expect: FINAL[40..47] = 0x4e1272a1 0xec49ec52 0x8a816603 0x28b8dfb4 0x65 0x66 0x64 x2
.kernel mem_red
.param 8
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R6, c[0x0][0x168]
  MOV R7, c[0x0][0x16c]
  LOP3 R1, R0, 0x3, RZ, 0xc0
  IMAD.WIDE.U32 R6, R1, 0x4, R6
  SHF.L.U32 R16, R1, 0x2, RZ
  IMAD R12, R0, 0x9e3779b1, RZ
  IADD3 R12, R12, 0x12345, RZ
  MOV R14, 0x5
  # CAS: lanes below 8 expect the first contents, others what an earlier lane may have left; new value tid / 4 % 3 + 100
  SHF.R.U32 R2, R0, 0x2, RZ
  IMAD R3, R2, 0x56, RZ
  SHF.R.U32 R3, R3, 0x8, RZ
  IMAD R2, R3, -3, R2
  IADD3 R19, R2, 0x64, RZ
  IMAD R3, R0, 0x25, RZ
  SHF.R.U32 R3, R3, 0x8, RZ
  IMAD R18, R3, -7, R0
  IADD3 R18, R18, 0x64, RZ
  ISETP.LT.AND P0, PT, R0, 0x8, PT
  SEL R18, R1, R18, P0
  ISETP.LT.AND P1, PT, R0, 0x4, PT
  RED.E.U32.ADD [R6], R12
  RED.E.U32.MIN [R6+0x10], R12
  RED.E.U32.MAX [R6+0x20], R12
  RED.E.S32.MIN [R6+0x30], R12
  RED.E.S32.MAX [R6+0x40], R12
  RED.E.U32.INC [R6+0x50], R14
  RED.E.U32.DEC [R6+0x60], R14
  RED.E.U32.AND [R6+0x70], R12
  RED.E.U32.OR [R6+0x80], R12
  RED.E.U32.XOR [R6+0x90], R12
  RED.E.U32.EXCH [R6+0xa0], R12
  RED.E.U32.CAS [R6+0xb0], R18
  EXIT
