# SPDX-License-Identifier: Apache-2.0
#
# Local memory belongs to the threads that are resident, not to those of the grid: 16,384 blocks of 32 threads with 8 KB each would be
# 4 GB, more than a machine with 1 GB has. Each thread finds its own value in the first and the last word of its frame; blocks count
# themselves.
#
# grid: 16384
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = fill 16384
.kernel arena
.param 8
.local 8192
  S2R R0, SR_TID.X
  S2R R1, SR_CTAID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R2, R1, 0x5, RZ
  IADD3 R2, R2, R0, RZ
  STL [RZ], R2
  STL [RZ+0x1ffc], R1
  LDL R6, [RZ]
  LDL R7, [RZ+0x1ffc]
  ISETP.EQ.AND P0, PT, R6, R2, PT
  ISETP.EQ.AND P0, PT, R7, R1, P0
  MOV R8, 0x1
  @P0 RED.E.U32.ADD [R4], R8
  EXIT
