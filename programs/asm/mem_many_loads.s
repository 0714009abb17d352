# SPDX-License-Identifier: Apache-2.0
#
# Sixteen loads in flight a warp, then their sum.
#
# block: 128
# buffer: SRC 8192 iota
# buffer: OUT 512
# expect: OUT = iota*16+15360
.kernel mem_many_loads
.param 8
.param 8
  S2R R0, SR_TID.X
  MOV R2, c[0x0][0x160]
  MOV R3, c[0x0][0x164]
  IMAD.WIDE.U32 R2, R0, 0x4, R2
  MOV R4, c[0x0][0x168]
  MOV R5, c[0x0][0x16c]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  LDG.E R10, [R2+0x0]
  LDG.E R11, [R2+0x200]
  LDG.E R12, [R2+0x400]
  LDG.E R13, [R2+0x600]
  LDG.E R14, [R2+0x800]
  LDG.E R15, [R2+0xa00]
  LDG.E R16, [R2+0xc00]
  LDG.E R17, [R2+0xe00]
  LDG.E R18, [R2+0x1000]
  LDG.E R19, [R2+0x1200]
  LDG.E R20, [R2+0x1400]
  LDG.E R21, [R2+0x1600]
  LDG.E R22, [R2+0x1800]
  LDG.E R23, [R2+0x1a00]
  LDG.E R24, [R2+0x1c00]
  LDG.E R25, [R2+0x1e00]
  MOV R1, RZ
  IADD3 R1, R1, R10, R11
  IADD3 R1, R1, R12, R13
  IADD3 R1, R1, R14, R15
  IADD3 R1, R1, R16, R17
  IADD3 R1, R1, R18, R19
  IADD3 R1, R1, R20, R21
  IADD3 R1, R1, R22, R23
  IADD3 R1, R1, R24, R25
  STG.E [R4], R1
  EXIT
