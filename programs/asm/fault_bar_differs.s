# SPDX-License-Identifier: Apache-2.0
#
# Two warps name different counts in one generation. Warp 0 is first: warp 1 waits for it at barrier 2.
#
# block: 64
# buffer: OUT 4096
# expect-fault: 719 pc=0xa0
# expect-message: 21: trap: barrier 1: 96 threads are asked for; warps 0x1, which have arrived, ask for 64 in kernel 'fault_bar_differs', block (0,0,0), warp 1, lanes 0xffffffff, PC 0xa0
.kernel fault_bar_differs
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.R.U32.HI R2, RZ, 0x5, R0
  IMAD R2, R2, 0x20, RZ
  IADD3 R2, R2, 0x40, RZ
  ISETP.EQ.AND P0, PT, R2, 0x40, PT
  @P0 BAR.ARV 0x1, R2
  BAR.SYNC 0x2, 0x40
  BAR.SYNC 0x1, R2
  EXIT
