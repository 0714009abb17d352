# SPDX-License-Identifier: Apache-2.0
#
# The reductions of silicon/warp/barriers.cu (`reds`): 96 threads, seed 777, 96 of them at the counted barrier.
#
# block: 96
# buffer: OUT 384
# param: u32 777
# param: u32 96
# expect: OUT[0..95] = fill 0x23a0025
.kernel bar_red_silicon_96
.param 8
.param 4, 4
.param 4, 4
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  MOV R6, 0x9e3779b1
  MOV R7, c[0x0][0x168]
  IMAD.U32 R6, R0, R6, R7
  SHF.R.U32.HI R6, RZ, 0x1d, R6
  MOV R8, c[0x0][0x16c]
  ISETP.LT.U32.AND P0, PT, R6, 0x3, PT
  BAR.RED.POPC 0x0, P0
  S2R R10, SR_BARRESULT
  ISETP.LT.U32.AND P0, PT, R6, 0x7, PT
  BAR.RED.AND 0x0, P0
  S2R R11, SR_BARRESULT
  ISETP.EQ.U32.AND P0, PT, R6, 0x6, PT
  BAR.RED.OR 0x0, !P0
  S2R R12, SR_BARRESULT
  IMAD.U32 R1, R11, 0x10000, R10
  IMAD.U32 R1, R12, 0x20000, R1
  ISETP.GE.AND P1, PT, R0, R8, PT
  @P1 BRA store
  MOV R9, 0x2
  ISETP.GE.U32.AND P0, PT, R6, 0x5, PT
  BAR.RED.POPC R9, R8, P0
  S2R R10, SR_BARRESULT
  ISETP.GE.U32.AND P0, PT, R6, 0x1, PT
  BAR.RED.AND 0x2, R8, P0
  S2R R11, SR_BARRESULT
  ISETP.EQ.U32.AND P0, PT, R6, RZ, PT
  BAR.RED.OR R9, R8, P0
  S2R R12, SR_BARRESULT
  IMAD.U32 R1, R10, 0x100000, R1
  IMAD.U32 R1, R11, 0x40000, R1
  IMAD.U32 R1, R12, 0x80000, R1
store:
  STG.E [R4], R1
  EXIT
