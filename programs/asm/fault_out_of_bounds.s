# SPDX-License-Identifier: Apache-2.0
#
# STG 256 MiB behind the buffer: no allocation is there.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 700
# expect-message: 15: illegal address at 0x200110000000: 268431360 bytes behind the end of the nearest allocation, 4096 bytes at 0x200100000000 in kernel 'fault_out_of_bounds', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x40
.kernel fault_out_of_bounds
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  STG.E [R4+0x10000000], R0
  EXIT
