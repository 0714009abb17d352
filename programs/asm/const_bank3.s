# SPDX-License-Identifier: Apache-2.0
#
# Constants of the module (bank 3): words and bytes laid down by directives.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = iota+0x43830201
.kernel const_bank3
.param 8
.const3
.byte 1, 2, 3, 4
.word 1.0
.text
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R2, c[0x3][0x0]
  IADD3 R1, R0, c[0x3][0x4], R2
  STG.E [R4], R1
  EXIT
