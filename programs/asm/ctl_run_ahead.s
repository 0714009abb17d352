# SPDX-License-Identifier: Apache-2.0
#
# No convergence barrier and no WARPSYNC after an if: the first split runs ahead and reads what the other one has not
# written yet (lanes 0..15 read zeros; the text's warning).
#
# settings: diverge=its split=h200
# block: 32
# buffer: OUT 128
# expect: OUT[0..15] = fill 0
# expect: OUT[16..31] = iota+100
.kernel ctl_run_ahead
.param 8
.shared 128
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  SHF.L.U32 R6, R0, 0x2, RZ
  LOP3 R7, R6, 0x40, RZ, 0x3c
  STS [R6], RZ
  ISETP.GE.AND P0, PT, R0, 0x10, PT
  @P0 BRA b
  IADD3 R1, R0, 0x64, RZ
  STS [R6], R1
  BRA on
b:
  IADD3 R1, R0, 0xc8, RZ
  STS [R6], R1
on:
  LDS R2, [R7]
  STG.E [R4], R2
  EXIT
