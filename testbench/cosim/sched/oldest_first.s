# SPDX-License-Identifier: Apache-2.0
#
# Eight warps with the same 60 additions behind a barrier: warp 1 ends before warp 6 (oldest first).
#
# block: 256
# buffer: OUT 1024
# expect: OUT = fill 1
.kernel oldest_first
.param 8
.shared 128
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.R.U32.HI R2, RZ, 0x5, R0
  SHF.L.U32 R6, R2, 0x2, RZ
  MOV R1, RZ
  MOV R3, RZ
  BAR.SYNC 0x0
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  IADD3 R3, R3, 0x1, RZ
  IADD3 R1, R1, 0x1, RZ
  S2R R8, SR_CLOCKLO
  STS [R6], R8
  BAR.SYNC 0x0
  MOV R6, RZ
  LDS R9, [R6+0x4]
  LDS R10, [R6+0x18]
  ISETP.LT.U32.AND P0, PT, R9, R10, PT
  SEL R11, RZ, 0x1, !P0
  STG.E [R4], R11
  EXIT
