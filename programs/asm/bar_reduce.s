# SPDX-License-Identifier: Apache-2.0
#
# Block sum of 256 numbers by halving, a barrier a step.
#
# block: 256
# buffer: OUT 1024
# expect: OUT[0..255] = fill 0x7f80
.kernel bar_reduce
.param 8
.shared 1024
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R6, R0, 0x2, RZ
  STS [R6], R0
  BAR.SYNC 0x0
  ISETP.LT.AND P0, PT, R0, 0x80, PT
  @P0 LDS R2, [R6]
  @P0 LDS R3, [R6+0x200]
  @P0 IADD3 R2, R2, R3, RZ
  @P0 STS [R6], R2
  BAR.SYNC 0x0
  ISETP.LT.AND P0, PT, R0, 0x40, PT
  @P0 LDS R2, [R6]
  @P0 LDS R3, [R6+0x100]
  @P0 IADD3 R2, R2, R3, RZ
  @P0 STS [R6], R2
  BAR.SYNC 0x0
  ISETP.LT.AND P0, PT, R0, 0x20, PT
  @P0 LDS R2, [R6]
  @P0 LDS R3, [R6+0x80]
  @P0 IADD3 R2, R2, R3, RZ
  @P0 STS [R6], R2
  BAR.SYNC 0x0
  ISETP.LT.AND P0, PT, R0, 0x10, PT
  @P0 LDS R2, [R6]
  @P0 LDS R3, [R6+0x40]
  @P0 IADD3 R2, R2, R3, RZ
  @P0 STS [R6], R2
  BAR.SYNC 0x0
  ISETP.LT.AND P0, PT, R0, 0x8, PT
  @P0 LDS R2, [R6]
  @P0 LDS R3, [R6+0x20]
  @P0 IADD3 R2, R2, R3, RZ
  @P0 STS [R6], R2
  BAR.SYNC 0x0
  ISETP.LT.AND P0, PT, R0, 0x4, PT
  @P0 LDS R2, [R6]
  @P0 LDS R3, [R6+0x10]
  @P0 IADD3 R2, R2, R3, RZ
  @P0 STS [R6], R2
  BAR.SYNC 0x0
  ISETP.LT.AND P0, PT, R0, 0x2, PT
  @P0 LDS R2, [R6]
  @P0 LDS R3, [R6+0x8]
  @P0 IADD3 R2, R2, R3, RZ
  @P0 STS [R6], R2
  BAR.SYNC 0x0
  ISETP.LT.AND P0, PT, R0, 0x1, PT
  @P0 LDS R2, [R6]
  @P0 LDS R3, [R6+0x4]
  @P0 IADD3 R2, R2, R3, RZ
  @P0 STS [R6], R2
  BAR.SYNC 0x0
  LDS R1, [RZ]
  STG.E [R4], R1
  EXIT
