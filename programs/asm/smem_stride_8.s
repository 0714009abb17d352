# SPDX-License-Identifier: Apache-2.0
#
# Shared words with a stride of 8: bank conflicts change the time, not the result.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = iota*-1+0x83
.kernel smem_stride_8
.param 8
.shared 1028
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IMAD R6, R0, 0x20, RZ
  IADD3 R2, R0, 0x64, RZ
  STS [R6], R2
  BAR.SYNC 0x0
  IADD3 R7, -R0, 0x1f, RZ
  IMAD R7, R7, 0x20, RZ
  LDS R1, [R7]
  STG.E [R4], R1
  EXIT
