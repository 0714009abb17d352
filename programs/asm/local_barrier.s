# SPDX-License-Identifier: Apache-2.0
#
# Values kept in the frame while a barrier and shared memory are used: each thread saves three values, hands a fourth
# to the thread of the other warp, and adds its own up again. OUT = (tid + 1) + (tid + 2) + (tid + 3) + other tid.
#
# block: 64
# buffer: OUT 256
# expect: OUT[0..31] = iota*4+0x26
# expect: OUT[32..63] = iota*4+0x66
.kernel local_barrier
.param 8
.local 16
.shared 256
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IADD3 R6, R0, 0x1, RZ
  IADD3 R7, R0, 0x2, RZ
  IADD3 R8, R0, 0x3, RZ
  STL [RZ+0x4], R6
  STL [RZ+0x8], R7
  STL [RZ+0xc], R8
  SHF.L.U32 R9, R0, 0x2, RZ
  STS [R9], R0
  MOV R6, RZ
  MOV R7, RZ
  MOV R8, RZ
  BAR.SYNC 0x0
  LOP3 R9, R9, 0x80, RZ, 0x3c
  LDS R10, [R9]
  LDL R6, [RZ+0x4]
  LDL R7, [RZ+0x8]
  LDL R8, [RZ+0xc]
  IADD3 R1, R6, R7, R8
  IADD3 R1, R1, R10, RZ
  STG.E [R4], R1
  EXIT
