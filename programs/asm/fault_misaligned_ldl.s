# SPDX-License-Identifier: Apache-2.0
#
# LDL of 16 bits at an odd offset that also lies outside: misaligned comes first.
#
# block: 32
# buffer: OUT 128
# expect-fault: 716 pc=0x10
# expect-message: 13: misaligned address at 0x9 in kernel 'fault_misaligned_ldl', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x10
.kernel fault_misaligned_ldl
.param 8
.local 8
  S2R R0, SR_TID.X
  LDL.U16 R1, [RZ+0x9]
  EXIT
