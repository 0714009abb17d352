# SPDX-License-Identifier: Apache-2.0
#
# A TRAP whose guard holds in no lane does nothing.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = iota
.kernel ctl_trap_off
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  ISETP.GT.AND P0, PT, R0, 0x64, PT
  @P0 TRAP 0x1
  MOV R1, R0
  STG.E [R4], R1
  EXIT
