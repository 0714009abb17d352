# SPDX-License-Identifier: Apache-2.0
#
# SHFL.IDX with a different source lane in every lane: reversal.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = iota*-1+0x11f
.kernel shfl_lane_operand
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IADD3 R10, R0, 0x100, RZ
  IADD3 R11, -R0, 0x1f, RZ
  SHFL.IDX R1, R10, R11, 0x1f
  STG.E [R4], R1
  EXIT
