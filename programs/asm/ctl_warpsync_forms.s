# SPDX-License-Identifier: Apache-2.0
#
# WARPSYNC of the whole warp with an immediate, a constant and a register; of a tail warp; masks of one lane and none.
#
# block: 40
# buffer: OUT 160
# param: u32 0xffffffff
# expect: OUT[0..39] = iota*1+0
.kernel ctl_warpsync_forms
.param 8
.param 4, 4
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  WARPSYNC 0xffffffff
  WARPSYNC c[0x0][0x168]
  MOV R2, 0xffffffff
  WARPSYNC R2
  WARPSYNC 0x0
  S2R R3, SR_LANEID
  ISETP.EQ.AND P0, PT, R3, 0x3, PT
  @P0 WARPSYNC 0x8
  STG.E [R4], R0
  EXIT
