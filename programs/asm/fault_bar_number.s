# SPDX-License-Identifier: Apache-2.0
#
# BAR.RED with a barrier number whose low four bits are those of a good one.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 719 pc=0x20
# expect-message: 13: trap: there is no such barrier in kernel 'fault_bar_number', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x20
.kernel fault_bar_number
.param 8
  S2R R0, SR_TID.X
  MOV R2, 0x80000001
  BAR.RED.POPC R2, PT
  EXIT
