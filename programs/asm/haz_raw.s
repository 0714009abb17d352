# SPDX-License-Identifier: Apache-2.0
#
# A chain of dependent instructions across the pipes.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = iota*8+0xb
.kernel haz_raw
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IADD3 R1, R0, 0x1, RZ
  IMAD R1, R1, 0x3, R0
  SHF.L.U32 R1, R1, 0x1, RZ
  IADD3 R1, R1, 0x5, RZ
  STG.E [R4], R1
  EXIT
