# SPDX-License-Identifier: Apache-2.0
#
# 64-bit shared accesses with a stride of four words.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = iota*2+0x7
.kernel smem_wide_conflict
.param 8
.shared 512
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R6, R0, 0x4, RZ
  MOV R2, R0
  IADD3 R3, R0, 0x7, RZ
  STS.64 [R6], R2
  LDS.64 R8, [R6]
  IADD3 R1, R8, R9, RZ
  STG.E [R4], R1
  EXIT
