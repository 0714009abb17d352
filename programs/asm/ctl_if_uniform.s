# SPDX-License-Identifier: Apache-2.0
#
# if / else where all lanes take one side.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = iota*3+0x1
.kernel ctl_if_uniform
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  ISETP.GE.AND P0, PT, R0, RZ, PT
  BSSY B0, join
  @P0 BRA other
  IADD3 R1, R0, 0x64, RZ
  BRA join
other:
  IMAD R1, R0, 0x3, RZ
join:
  BSYNC B0
  IADD3 R1, R1, 0x1, RZ
  STG.E [R4], R1
  EXIT
