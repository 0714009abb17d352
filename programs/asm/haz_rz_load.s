# SPDX-License-Identifier: Apache-2.0
#
# A load and a special register read into RZ are dropped.
#
# block: 32
# buffer: OUT 128 iota+1
# expect: OUT = fill 0x9
.kernel haz_rz_load
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  LDG.E RZ, [R4]
  S2R RZ, SR_LANEID
  IADD3 R1, RZ, 0x9, RZ
  STG.E [R4], R1
  EXIT
