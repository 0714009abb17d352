# SPDX-License-Identifier: Apache-2.0
#
# fp32 result used at once by fp32 and integer instructions.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = fill 0x40801000
.kernel haz_raw_fp
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R2, 1.0
  FADD R2, R2, R2
  FMUL R2, R2, R2
  IADD3 R1, R2, 0x1000, RZ
  STG.E [R4], R1
  EXIT
