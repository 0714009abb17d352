# SPDX-License-Identifier: Apache-2.0
#
# One predicate as both destinations of an instruction: the first destination's value stays (ISETP, FSETP, PLOP3).
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..4] = fill 0x7
# expect: OUT[5..31] = fill 0x0
.kernel pred_same_twice
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R1, RZ
  ISETP.LT.AND P0, P0, R0, 0x5, PT
  @P0 IADD3 R1, R1, 0x1, RZ
  MOV R2, 1.0
  @P0 MOV R2, -1.0
  FSETP.LT.AND P1, P1, R2, RZ, PT
  @P1 IADD3 R1, R1, 0x2, RZ
  PLOP3 P2, P2, P0, P1, 0x8
  @P2 IADD3 R1, R1, 0x4, RZ
  STG.E [R4], R1
  EXIT
