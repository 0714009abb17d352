# SPDX-License-Identifier: Apache-2.0
#
# All lanes store to one shared word: the lowest lane stays (32 bits).
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = fill 0xe
.kernel smem_same_word
.param 8
.shared 64
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IADD3 R2, R0, 0x9, RZ
  ISETP.GE.AND P0, PT, R0, 0x5, PT
  @P0 STS [RZ], R2
  LDS R1, [RZ]
  STG.E [R4], R1
  EXIT
