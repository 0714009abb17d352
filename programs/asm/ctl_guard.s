# SPDX-License-Identifier: Apache-2.0
#
# Guards: only the lanes whose predicate holds execute; predicates are kept otherwise.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = 0xf x7 0x3ed x13 0x451 x12
.kernel ctl_guard
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R1, 0x5
  ISETP.LT.AND P0, P1, R0, 0x7, PT
  ISETP.GE.AND P2, PT, R0, 0x14, PT
  @P0 IADD3 R1, R1, 0xa, RZ
  @P2 IADD3 R1, R1, 0x64, RZ
  @P1 IADD3 R1, R1, 0x3e8, RZ
  @!PT MOV R1, 0x0
  STG.E [R4], R1
  EXIT
