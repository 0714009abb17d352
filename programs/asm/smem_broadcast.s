# SPDX-License-Identifier: Apache-2.0
#
# All lanes read one shared word.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = fill 0x4d
.kernel smem_broadcast
.param 8
.shared 64
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R2, 0x4d
  ISETP.EQ.AND P0, PT, R0, 0x3, PT
  @P0 STS [RZ+0x10], R2
  LDS R1, [RZ+0x10]
  STG.E [R4], R1
  EXIT
