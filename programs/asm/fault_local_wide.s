# SPDX-License-Identifier: Apache-2.0
#
# LDL of 64 bits is undefined.
#
# block: 32
# buffer: OUT 128
# expect-fault: 715 pc=0x10
# expect-message: 13: illegal instruction in kernel 'fault_local_wide', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x10
.kernel fault_local_wide
.param 8
.local 16
  S2R R0, SR_TID.X
  .word 0x00770000057777ff, 0x00000000ff020745
  EXIT
