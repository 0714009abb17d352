# SPDX-License-Identifier: Apache-2.0
#
# Global loads with a stride of 33 words, from word 5.
#
# block: 32
# buffer: SRC 4244 iota*3+1
# buffer: OUT 128
# expect: OUT[0..31] = iota*99+0x10
.kernel mem_stride_33
.param 8
.param 8
  S2R R0, SR_TID.X
  IMAD R6, R0, 0x21, RZ
  MOV R2, c[0x0][0x160]
  MOV R3, c[0x0][0x164]
  IMAD.WIDE.U32 R2, R6, 0x4, R2
  MOV R4, c[0x0][0x168]
  MOV R5, c[0x0][0x16c]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  LDG.E R1, [R2+0x14]
  STG.E [R4], R1
  EXIT
