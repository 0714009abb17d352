# SPDX-License-Identifier: Apache-2.0
#
# One warp waits at a barrier for 64 threads that never come.
#
# block: 32
# buffer: OUT 4
# expect-hang
.kernel hang_barrier
.param 8
  BAR.SYNC 0x1, 64
  EXIT
