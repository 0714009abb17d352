# SPDX-License-Identifier: Apache-2.0
#
# LDC of one word for all lanes: one pass. Of n words, n passes: here 1, 2, 8 and 32 (recorded: silicon constmem, cm_group). Word k
# of bank 3 is k.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..7] = 0 3 4 7 8 11 12 15
# expect: OUT[8..15] = 8 11 12 15 16 19 20 23
# expect: OUT[16..23] = 16 19 20 23 24 27 28 31
# expect: OUT[24..31] = 24 27 28 31 32 35 36 39
.kernel constants
.param 8
.const3
  .word 0, 1, 2, 3, 4, 5, 6, 7
  .word 8, 9, 10, 11, 12, 13, 14, 15
  .word 16, 17, 18, 19, 20, 21, 22, 23
  .word 24, 25, 26, 27, 28, 29, 30, 31
.text
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R1, RZ
  LOP3 R2, R0, 0x1, RZ, 0xc0
  SHF.L.U32 R2, R2, 0x2, RZ
  LOP3 R3, R0, 0x7, RZ, 0xc0
  SHF.L.U32 R3, R3, 0x2, RZ
  SHF.L.U32 R6, R0, 0x2, RZ
  LDC R7, c[0x3][R1]
  LDC R8, c[0x3][R2]
  LDC R9, c[0x3][R3]
  LDC R10, c[0x3][R6]
  IADD3 R7, R7, R8, R9
  IADD3 R7, R7, R10, RZ
  STG.E [R4], R7
  EXIT
