# SPDX-License-Identifier: Apache-2.0
#
# Loads of two and four words into RZ are dropped as a whole: R0 to R2 keep their values.
#
# block: 32
# buffer: OUT 512 iota+1
# expect: OUT[0..31] = fill 0x3
# expect: OUT[32..63] = fill 0x11
# expect: OUT[64..95] = fill 0x12
# expect: OUT[96..127] = fill 0x13
.kernel haz_rz_quad
.param 8
.shared 512
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R6, R0, 0x10, R4
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R8, R0, 0x4, RZ
  MOV R12, 0x21
  MOV R13, 0x22
  MOV R14, 0x23
  MOV R15, 0x24
  STS.128 [R8], R12
  MOV R0, 0x11
  MOV R1, 0x12
  MOV R2, 0x13
  MOV R3, 0x3
  LDG.E.64 RZ, [R6]
  LDG.E.128 RZ, [R6]
  LDS.64 RZ, [R8]
  LDS.128 RZ, [R8]
  LDG.E.128 R16, [R6]
  LDS.128 R20, [R8]
  IADD3 R16, R16, R20, RZ
  STG.E [R4], R3
  STG.E [R4+0x80], R0
  STG.E [R4+0x100], R1
  STG.E [R4+0x180], R2
  EXIT
