# SPDX-License-Identifier: Apache-2.0
#
# NANOSLEEP with an immediate, a register and under a guard: the warp goes on afterwards, no earlier than it should.
#
# block: 64
# buffer: OUT 256
# expect: OUT[0..63] = fill 3
.kernel ctl_nanosleep
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  S2R R6, SR_GLOBALTIMERLO
  NANOSLEEP 0x190
  S2R R7, SR_GLOBALTIMERLO
  MOV R8, 0xc8
  LOP3 R2, R0, 0x1, RZ, 0xc0
  ISETP.NE.AND P0, PT, R2, RZ, PT
  NANOSLEEP R8
  S2R R9, SR_GLOBALTIMERLO
  @P0 NANOSLEEP 0x0
  IADD3 R7, R7, -R6, RZ
  IADD3 R9, R9, -R6, RZ
  ISETP.GE.AND P1, PT, R7, 0x190, PT
  ISETP.GE.AND P2, PT, R9, 0x258, PT
  MOV R1, RZ
  @P1 IADD3 R1, R1, 0x1, RZ
  @P2 IADD3 R1, R1, 0x2, RZ
  STG.E [R4], R1
  EXIT
