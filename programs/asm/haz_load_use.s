# SPDX-License-Identifier: Apache-2.0
#
# Shared store, load and use of the result without a gap; the first store is overwritten.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = iota
.kernel haz_load_use
.param 8
.shared 128
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  STS [RZ], RZ
  SHF.L.U32 R6, R0, 0x2, RZ
  STS [R6], R0
  LDS R2, [R6]
  IADD3 R1, R2, RZ, RZ
  STG.E [R4], R1
  EXIT
