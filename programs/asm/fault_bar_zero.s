# SPDX-License-Identifier: Apache-2.0
#
# BAR.SYNC with the count 0.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 719 pc=0x50
# expect-message: 16: trap: barrier 1: 0 threads are asked for in kernel 'fault_bar_zero', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x50
.kernel fault_bar_zero
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R2, RZ
  BAR.SYNC 0x1, R2
  EXIT
