# SPDX-License-Identifier: Apache-2.0
#
# 1024 threads in one block, each writes its number.
#
# block: 1024
# buffer: OUT 4096
# expect: OUT[0..1023] = iota*7
.kernel ctl_many_warps
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IMAD R1, R0, 0x7, RZ
  STG.E [R4], R1
  EXIT
