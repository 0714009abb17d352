# SPDX-License-Identifier: Apache-2.0
#
# Lanes below 10 exit at once; the others go on and write.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..7] = fill 0x0
# expect: OUT[8..15] = 0x0 x2 0xa 0xb 0xc 0xd 0xe 0xf
# expect: OUT[16..23] = iota+0x10
# expect: OUT[24..31] = iota+0x18
.kernel ctl_early_exit
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  ISETP.LT.AND P0, PT, R0, 0xa, PT
  @P0 EXIT
  MOV R1, R0
  STG.E [R4], R1
  EXIT
