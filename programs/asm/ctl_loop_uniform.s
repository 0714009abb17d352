# SPDX-License-Identifier: Apache-2.0
#
# A loop of ten turns without divergence.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = iota*10
.kernel ctl_loop_uniform
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R1, RZ
  MOV R2, 0xa
loop:
  IADD3 R1, R1, R0, RZ
  IADD3 R2, R2, -0x1, RZ
  ISETP.NE.AND P0, PT, R2, RZ, PT
  @P0 BRA.U loop
  STG.E [R4], R1
  EXIT
