# SPDX-License-Identifier: Apache-2.0
#
# A WARPSYNC of two lanes inside, while all others wait at one of the whole warp: masks that contain one another.
#
# settings: diverge=its
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = 21 11 x31
.kernel ctl_warpsync_nested
.param 8
.shared 128
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R6, R0, 0x2, RZ
  MOV R1, 0xb
  ISETP.LT.AND P0, PT, R0, 0x2, PT
  ISETP.EQ.AND P1, PT, R0, 0x1, PT
  @P0 BRA pair
  WARPSYNC 0xffffffff
  BRA out
pair:
  @P1 BRA second
  WARPSYNC 0x3
  LDS R2, [RZ+0x4]
  IADD3 R1, R2, R1, RZ
  WARPSYNC 0xffffffff
  BRA out
second:
  MOV R2, 0xa
  STS [R6], R2
  WARPSYNC 0x3
  WARPSYNC 0xffffffff
out:
  STG.E [R4], R1
  EXIT
