# SPDX-License-Identifier: Apache-2.0
#
# Two warps and a place for one (twolevel:1): the warp that waits in a fence gives its place up, so that it finds the word of the
# other one behind the fence.
#
# block: 64
# buffer: OUT 256
# expect: OUT[0..31] = fill 1
# expect: OUT[32..63] = fill 7
.kernel fence_gives_way
.param 8
.shared 128
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  ISETP.LT.U32.AND P0, PT, R0, 0x20, PT
  @!P0 BRA second
  STS [RZ], RZ
  STG.E [R4], R0
  MEMBAR.GPU
  LDS R6, [RZ]
  STG.E [R4], R6
  EXIT
second:
  MOV R7, 0x1
  STS [RZ], R7
  MOV R7, 0x7
  STG.E [R4], R7
  EXIT
