# SPDX-License-Identifier: Apache-2.0
#
# Global loads shifted by one word: five sectors.
#
# block: 32
# buffer: SRC 132 iota*3+1
# buffer: OUT 128
# expect: OUT[0..31] = iota*3+0x4
.kernel mem_offset_1
.param 8
.param 8
  S2R R0, SR_TID.X
  IMAD R6, R0, 0x1, RZ
  MOV R2, c[0x0][0x160]
  MOV R3, c[0x0][0x164]
  IMAD.WIDE.U32 R2, R6, 0x4, R2
  MOV R4, c[0x0][0x168]
  MOV R5, c[0x0][0x16c]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  LDG.E R1, [R2+0x4]
  STG.E [R4], R1
  EXIT
