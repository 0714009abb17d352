# SPDX-License-Identifier: Apache-2.0
#
# The register of a store is overwritten behind it.
#
# block: 32
# buffer: OUT 256
# expect: OUT[0..31] = iota+1
# expect: OUT[32..63] = fill 0x63
.kernel haz_war_store
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IADD3 R1, R0, 0x1, RZ
  STG.E [R4], R1
  MOV R1, 0x63
  STG.E [R4+0x80], R1
  MOV R1, RZ
  MOV R4, RZ
  MOV R5, RZ
  EXIT
