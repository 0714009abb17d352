# SPDX-License-Identifier: Apache-2.0
#
# Barriers 0..15 one after another, each with the block full.
#
# block: 64
# buffer: OUT 256
# expect: OUT[0..63] = fill 0x10
.kernel bar_all_ids
.param 8
.shared 256
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R1, RZ
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0x0
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0x0
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0x1
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0x1
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0x2
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0x2
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0x3
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0x3
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0x4
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0x4
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0x5
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0x5
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0x6
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0x6
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0x7
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0x7
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0x8
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0x8
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0x9
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0x9
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0xa
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0xa
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0xb
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0xb
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0xc
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0xc
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0xd
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0xd
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0xe
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0xe
  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R2, R1, 0x1, RZ
  STS [R6], R2
  BAR.SYNC 0xf
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  BAR.SYNC 0xf
  STG.E [R4], R1
  EXIT
