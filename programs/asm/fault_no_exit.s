# SPDX-License-Identifier: Apache-2.0
#
# A kernel without an end runs into the words behind it, which are no instructions.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 715
# expect-message: 11: illegal instruction in kernel 'fault_no_exit', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x10
.kernel fault_no_exit
.param 8
  BRA end
end:
