# SPDX-License-Identifier: Apache-2.0
#
# STL of a kernel without local memory.
#
# block: 32
# buffer: OUT 128
# expect-fault: 714 pc=0x10
# expect-message: 12: hardware stack error in kernel 'fault_local_none', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x10
.kernel fault_local_none
.param 8
  S2R R0, SR_TID.X
  STL.U8 [RZ], R0
  EXIT
