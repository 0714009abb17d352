# SPDX-License-Identifier: Apache-2.0
#
# STS of 8 to 128 bits, LDS with extension.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = iota*131081+0xfe010085
.kernel smem_sizes
.param 8
.shared 512
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R6, R0, 0x4, RZ
  IADD3 R8, R0, 0x80, RZ
  IADD3 R9, R0, 0xff00, RZ
  IADD3 R10, R0, 0x3, RZ
  IADD3 R11, R0, 0x4, RZ
  STS.128 [R6], R8
  STS.U8 [R6+0xc], R8
  STS.U16 [R6+0xe], R9
  LDS.S8 R12, [R6+0xc]
  LDS.S16 R13, [R6+0xe]
  LDS.U8 R14, [R6+0xf]
  LDS.U16 R15, [R6+0xc]
  LDS.64 R16, [R6+0x8]
  LDS.128 R20, [R6]
  IADD3 R1, R12, R13, R14
  IADD3 R1, R1, R15, R16
  IADD3 R1, R1, R17, R20
  IADD3 R1, R1, R21, R22
  IADD3 R1, R1, R23, RZ
  STG.E [R4], R1
  EXIT
