# SPDX-License-Identifier: Apache-2.0
#
# Two rounds over 64 lines (8 KB), each load waited for, one warp: 256 sectors miss in the first round. In the second all hit
# if the L1 holds 64 lines; with half of them, least recently used first, each line is gone when its turn comes again.
#
# block: 32
# buffer: OUT 128
# buffer: A 8192
# init: A[0..2047] = iota*1
# expect: OUT[0..31] = iota*128+129024
.kernel rounds
.param 16
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R10, c[0x0][0x168]
  MOV R11, c[0x0][0x16c]
  IMAD.WIDE.U32 R10, R0, 0x4, R10
  MOV R1, RZ
  MOV R2, RZ
again:
  MOV R12, R10
  MOV R13, R11
  MOV R3, RZ
line:
  LDG.E R6, [R12]
  IADD3 R1, R1, R6, RZ
  IADD3 R12, P1, R12, 0x80, RZ
  IADD3.X R13, R13, RZ, RZ, P1
  IADD3 R3, R3, 0x1, RZ
  ISETP.LT.AND P0, PT, R3, 0x40, PT
  @P0 BRA line
  IADD3 R2, R2, 0x1, RZ
  ISETP.LT.AND P0, PT, R2, 0x2, PT
  @P0 BRA again
  STG.E [R4], R1
  EXIT
