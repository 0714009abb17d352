# SPDX-License-Identifier: Apache-2.0
#
# Twenty loads of twenty lines before the first answer: no sector hits or merges. With fewer MSHRs than that there are cycles in which
# none is free, with more there are none.
#
# block: 32
# buffer: OUT 128
# buffer: A 2560
# init: A[0..639] = iota*1
# expect: OUT[0..31] = iota*20+6080
.kernel lines
.param 16
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R10, c[0x0][0x168]
  MOV R11, c[0x0][0x16c]
  IMAD.WIDE.U32 R10, R0, 0x4, R10
  LDG.E R16, [R10+0x0]
  LDG.E R17, [R10+0x80]
  LDG.E R18, [R10+0x100]
  LDG.E R19, [R10+0x180]
  LDG.E R20, [R10+0x200]
  LDG.E R21, [R10+0x280]
  LDG.E R22, [R10+0x300]
  LDG.E R23, [R10+0x380]
  LDG.E R24, [R10+0x400]
  LDG.E R25, [R10+0x480]
  LDG.E R26, [R10+0x500]
  LDG.E R27, [R10+0x580]
  LDG.E R28, [R10+0x600]
  LDG.E R29, [R10+0x680]
  LDG.E R30, [R10+0x700]
  LDG.E R31, [R10+0x780]
  LDG.E R32, [R10+0x800]
  LDG.E R33, [R10+0x880]
  LDG.E R34, [R10+0x900]
  LDG.E R35, [R10+0x980]
  MOV R1, RZ
  IADD3 R1, R1, R16, R17
  IADD3 R1, R1, R18, R19
  IADD3 R1, R1, R20, R21
  IADD3 R1, R1, R22, R23
  IADD3 R1, R1, R24, R25
  IADD3 R1, R1, R26, R27
  IADD3 R1, R1, R28, R29
  IADD3 R1, R1, R30, R31
  IADD3 R1, R1, R32, R33
  IADD3 R1, R1, R34, R35
  STG.E [R4], R1
  EXIT
