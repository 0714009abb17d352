# SPDX-License-Identifier: Apache-2.0
#
# Warp sum by five butterfly steps.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = fill 0x1f0
.kernel shfl_reduce
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R1, R0
  SHFL.BFLY R2, R1, 0x10, 0x1f
  IADD3 R1, R1, R2, RZ
  SHFL.BFLY R2, R1, 0x8, 0x1f
  IADD3 R1, R1, R2, RZ
  SHFL.BFLY R2, R1, 0x4, 0x1f
  IADD3 R1, R1, R2, RZ
  SHFL.BFLY R2, R1, 0x2, 0x1f
  IADD3 R1, R1, R2, RZ
  SHFL.BFLY R2, R1, 0x1, 0x1f
  IADD3 R1, R1, R2, RZ
  STG.E [R4], R1
  EXIT
