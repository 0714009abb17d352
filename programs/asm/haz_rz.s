# SPDX-License-Identifier: Apache-2.0
#
# RZ reads zero and ignores writes; PT ignores writes.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = fill 0x1
.kernel haz_rz
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R1, 0x1
  MOV RZ, 0x5
  IADD3 R1, R1, RZ, RZ
  ISETP.F.AND PT, PT, R0, R0, PT
  @!PT IADD3 R1, R1, 0x64, RZ
  STG.E [R4], R1
  EXIT
