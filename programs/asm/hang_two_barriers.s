# SPDX-License-Identifier: Apache-2.0
#
# Two warps wait at different barriers of all threads.
#
# block: 64
# buffer: OUT 4
# expect-hang
.kernel hang_two_barriers
.param 8
  S2R R0, SR_TID.X
  SHF.R.U32.HI R1, RZ, 0x5, R0
  BAR.SYNC R1
  EXIT
