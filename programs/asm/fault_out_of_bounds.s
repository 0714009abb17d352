# SPDX-License-Identifier: Apache-2.0
#
# STG 256 MiB behind the buffer: no allocation is there.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 700
.kernel fault_out_of_bounds
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  STG.E [R4+0x10000000], R0
  EXIT
