# SPDX-License-Identifier: Apache-2.0
#
# Two warps wait at barriers 1 and 2, written as immediates.
#
# block: 64
# buffer: OUT 4
# expect-hang
.kernel hang_two_ids
.param 8
  S2R R0, SR_TID.X
  ISETP.LT.AND P0, PT, R0, 0x20, PT
  @P0 BRA first
  BAR.SYNC 0x2
  EXIT
first:
  BAR.SYNC 0x1
  EXIT
