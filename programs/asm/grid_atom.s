# SPDX-License-Identifier: Apache-2.0
#
# Blocks add into one word; the last one to arrive, found by ATOMG.INC, reads the whole sum.
#
# grid: 6
# block: 64
# buffer: SUM 32
# buffer: LAST 32
# expect: SUM[0] = 0x11f40
# expect: SUM[1] = 0x0
# expect: LAST[0] = 0x11f40
.kernel grid_atom
.param 8
.param 8
  S2R R0, SR_TID.X
  S2R R1, SR_CTAID.X
  IMAD R2, R1, 0x40, R0
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  RED.E.U32.ADD [R4], R2
  MEMBAR.GPU
  BAR.SYNC 0x0
  ISETP.EQ.AND P0, PT, R0, 0x0, PT
  @!P0 EXIT
  # the last of six blocks wraps the counter to 0 and sees the whole sum
  MOV R6, 0x5
  ATOMG.E.U32.INC R7, [R4+0x4], R6
  ISETP.EQ.AND P1, PT, R7, 0x5, PT
  @!P1 EXIT
  LDG.E.CG R8, [R4]
  MOV R10, c[0x0][0x168]
  MOV R11, c[0x0][0x16c]
  STG.E [R10], R8
  EXIT
