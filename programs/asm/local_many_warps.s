# SPDX-License-Identifier: Apache-2.0
#
# More blocks than fit at once: frames of warp slots that are used again. Each thread writes 2 * n and n at two
# offsets, n = its number in the grid, and adds them after a barrier.
#
# grid: 24
# block: 128
# buffer: OUT 12288
# expect: OUT[0..3071] = iota*3+0
.kernel local_many_warps
.param 8
.local 260
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  S2R R2, SR_CTAID.X
  SHF.L.U32 R2, R2, 0x7, RZ
  IADD3 R0, R0, R2, RZ
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R6, R0, 0x1, RZ
  STL [RZ+0x100], R6
  STL [RZ], R0
  BAR.SYNC 0x0
  LDL R7, [RZ+0x100]
  LDL R8, [RZ]
  IADD3 R1, R7, R8, RZ
  STG.E [R4], R1
  EXIT
