# SPDX-License-Identifier: Apache-2.0
#
# A block with 28 KB of shared memory uses its last word. It fits where the L1 leaves that much of the array.
#
# block: 32
# shared: 28672
# buffer: OUT 128
# expect: OUT[0..31] = iota*1+7
.kernel block_28k
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R2, R0, 0x2, RZ
  IADD3 R3, R0, 0x7, RZ
  STS [R2+0x6f80], R3
  LDS R6, [R2+0x6f80]
  STG.E [R4], R6
  EXIT
