# SPDX-License-Identifier: Apache-2.0
#
# An atomic drops the L1's sector: the load behind it, like the one before it with default caching, must see L2's contents.
#
# block: 32
# buffer: OUT 128
# buffer: A 128 iota*2+1
# expect: OUT = iota*4+5
# expect: A = iota*2+4
.kernel mem_atom_drops_l1
.param 8
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R6, c[0x0][0x168]
  MOV R7, c[0x0][0x16c]
  IMAD.WIDE.U32 R6, R0, 0x4, R6
  MOV R8, 0x3
  LDG.E R10, [R6]
  IADD3 R9, R10, RZ, RZ
  RED.E.U32.ADD [R6], R8
  LDG.E R11, [R6]
  IADD3 R11, R11, R9, RZ
  STG.E [R4], R11
  EXIT
