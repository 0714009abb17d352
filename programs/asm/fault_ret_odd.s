# SPDX-License-Identifier: Apache-2.0
#
# RET to an address that is no multiple of 16 in one lane.
#
# block: 32
# buffer: OUT 128
# expect-fault: 718 pc=0x60
# expect-message: 18: invalid program counter in kernel 'fault_ret_odd', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x60
.kernel fault_ret_odd
.param 8
  S2R R0, SR_LANEID
  CALL R6, here
here:
  ISETP.EQ.AND P0, PT, R0, 0x7, PT
  MOV R7, R6
  @P0 IADD3 R7, R7, 0x8, RZ
  NOP
  RET R7
  EXIT
