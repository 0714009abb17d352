# SPDX-License-Identifier: Apache-2.0
#
# Guarded and divergent accesses: only the executing lanes' frames change. Odd lanes overwrite 7 with tid under a guard,
# lanes of 16 and up then add 100 inside a branch.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..15] = repeat 7 1 7 3 7 5 7 7 7 9 7 11 7 13 7 15
# expect: OUT[16..31] = repeat 107 117 107 119 107 121 107 123 107 125 107 127 107 129 107 131
.kernel local_guard
.param 8
.local 4
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R6, 0x7
  STL [RZ], R6
  LOP3 R7, R0, 0x1, RZ, 0xc0
  ISETP.NE.AND P0, PT, R7, RZ, PT
  @P0 STL [RZ], R0
  ISETP.LT.AND P1, PT, R0, 0x10, PT
  BSSY B0, join
  @P1 BRA join
  LDL R8, [RZ]
  IADD3 R8, R8, 0x64, RZ
  STL [RZ], R8
join:
  BSYNC B0
  LDL R9, [RZ]
  STG.E [R4], R9
  EXIT
