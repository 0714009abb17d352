# SPDX-License-Identifier: Apache-2.0
#
# 6 rounds up to a block barrier; every warp has 10 additions, warp 3 before them a chain of 16 loads from shared
# memory with an addition each, which the others branch over. The round ends when warp 3 does: a scheduler that sees
# its longer way and lets it go first ends sooner.
#
# block: 256
# buffer: OUT 1024
# expect: OUT = fill 60
# expect: OUT[96..127] = fill 66
.kernel critical
.param 8
.shared 128
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.R.U32.HI R2, RZ, 0x5, R0
  MOV R1, RZ
  MOV R7, RZ
  MOV R8, RZ
  STS [R8], RZ
  BAR.SYNC 0x0
  ISETP.NE.AND P0, PT, R2, 0x3, PT
round:
  @P0 BRA short
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  LDS R8, [R8]
  IADD3 R8, R8, R8, RZ
  IADD3 R1, R1, 0x1, R8
short:
  FMUL R9, R1, RZ
  IADD3 R1, R1, 0x1, R9
  FMUL R9, R1, RZ
  IADD3 R1, R1, 0x1, R9
  FMUL R9, R1, RZ
  IADD3 R1, R1, 0x1, R9
  FMUL R9, R1, RZ
  IADD3 R1, R1, 0x1, R9
  FMUL R9, R1, RZ
  IADD3 R1, R1, 0x1, R9
  FMUL R9, R1, RZ
  IADD3 R1, R1, 0x1, R9
  FMUL R9, R1, RZ
  IADD3 R1, R1, 0x1, R9
  FMUL R9, R1, RZ
  IADD3 R1, R1, 0x1, R9
  FMUL R9, R1, RZ
  IADD3 R1, R1, 0x1, R9
  FMUL R9, R1, RZ
  IADD3 R1, R1, 0x1, R9
  BAR.SYNC 0x0
  IADD3 R7, R7, 0x1, RZ
  ISETP.LT.AND P1, PT, R7, 0x6, PT
  @P1 BRA round
  STG.E [R4], R1
  EXIT
