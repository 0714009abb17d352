# SPDX-License-Identifier: Apache-2.0
#
# Dynamic shared memory of the launch.
#
# block: 32
# shared: 128
# buffer: OUT 128
# expect: OUT = iota*-1+31
.kernel smem_dynamic
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R6, R0, 0x2, RZ
  STS [R6], R0
  IADD3 R7, -R6, 0x7c, RZ
  LDS R1, [R7]
  STG.E [R4], R1
  EXIT
