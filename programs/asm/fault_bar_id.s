# SPDX-License-Identifier: Apache-2.0
#
# Barrier 16, from a register: there are 16. The lanes that execute it are told, here those of one arm.
#
# block: 64
# buffer: OUT 4096
# expect-fault: 719 pc=0x40
# expect-message: 15: trap: there is no such barrier in kernel 'fault_bar_id', block (0,0,0), warp 0, lanes 0x0000000f, PC 0x40
.kernel fault_bar_id
.param 8
  S2R R0, SR_TID.X
  MOV R2, 0x10
  ISETP.LT.AND P0, PT, R0, 0x4, PT
  NOP
  @P0 BAR.SYNC R2
  EXIT
