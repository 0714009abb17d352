# SPDX-License-Identifier: Apache-2.0
#
# BRX beyond the code window, from the upper half of the warp.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 718 pc=0x30
# expect-message: 14: invalid program counter in kernel 'fault_brx_far', block (0,0,0), warp 0, lanes 0xffff0000, PC 0x30
.kernel fault_brx_far
.param 8
  S2R R0, SR_TID.X
  MOV R2, 0x10000000
  ISETP.GE.AND P0, PT, R0, 0x10, PT
  @P0 BRX R2
  EXIT
