# SPDX-License-Identifier: Apache-2.0
#
# S2R: the clock moves on between two reads; the SM number is below the number of SMs; the slot
# below the number of slots.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = fill 0x7
.kernel s2r_clock
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  S2R R6, SR_CLOCKLO
  S2R R7, SR_CLOCKHI
  IADD3 R6, R6, 0x0, RZ
  S2R R8, SR_CLOCKLO
  S2R R9, SR_CLOCKHI
  IADD3 R10, P0, R8, -R6, RZ
  IADD3.X R11, R9, -R7, RZ, P0
  ISETP.GT.AND P1, PT, R10, RZ, PT
  ISETP.EQ.AND P1, PT, R11, RZ, P1
  S2R R6, SR_SMID
  S2R R7, SR_NSMID
  ISETP.LT.U32.AND P2, PT, R6, R7, PT
  S2R R6, SR_WARPID
  S2R R7, SR_NWARPID
  ISETP.LT.U32.AND P3, PT, R6, R7, PT
  MOV R1, RZ
  @P1 IADD3 R1, R1, 0x1, RZ
  @P2 IADD3 R1, R1, 0x2, RZ
  @P3 IADD3 R1, R1, 0x4, RZ
  STG.E [R4], R1
  EXIT
