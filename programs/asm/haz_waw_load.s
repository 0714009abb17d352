# SPDX-License-Identifier: Apache-2.0
#
# A load and an ALU instruction write one register: the later in program order stays.
#
# block: 32
# buffer: SRC 128 iota*9
# buffer: OUT 128
# expect: OUT = iota+77
.kernel haz_waw_load
.param 8
.param 8
  S2R R0, SR_TID.X
  MOV R2, c[0x0][0x160]
  MOV R3, c[0x0][0x164]
  IMAD.WIDE.U32 R2, R0, 0x4, R2
  MOV R4, c[0x0][0x168]
  MOV R5, c[0x0][0x16c]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  LDG.E R1, [R2]
  IADD3 R1, R0, 0x4d, RZ
  STG.E [R4], R1
  EXIT
