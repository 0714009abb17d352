# SPDX-License-Identifier: Apache-2.0
#
# Nine loads of one line before the first answer (from a memory as far away as that of v100): 36 sectors miss. An MSHR
# takes eight of them: the first load opens a request, seven merge with it (28 sectors), the ninth opens another.
#
# block: 32
# buffer: OUT 128
# buffer: A 128
# init: A[0..31] = iota*1+5
# expect: OUT[0..31] = iota*9+45
.kernel merge
.param 16
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R10, c[0x0][0x168]
  MOV R11, c[0x0][0x16c]
  IMAD.WIDE.U32 R10, R0, 0x4, R10
  LDG.E R16, [R10]
  LDG.E R17, [R10]
  LDG.E R18, [R10]
  LDG.E R19, [R10]
  LDG.E R20, [R10]
  LDG.E R21, [R10]
  LDG.E R22, [R10]
  LDG.E R23, [R10]
  LDG.E R24, [R10]
  MOV R1, RZ
  IADD3 R1, R1, R16, R17
  IADD3 R1, R1, R18, R19
  IADD3 R1, R1, R20, R21
  IADD3 R1, R1, R22, R23
  IADD3 R1, R1, R24, RZ
  STG.E [R4], R1
  EXIT
