# SPDX-License-Identifier: Apache-2.0
#
# The same on the SIMT stack: A1 A2 B1 B2.
#
# settings: diverge=stack
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = fill 0x2f
.kernel ctl_order_stack
.param 8
.shared 256
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  SHF.L.U32 R6, R0, 0x3, RZ
  ISETP.GE.AND P0, PT, R0, 0x10, PT
  BSSY B0, join
  @P0 BRA b
  S2R R8, SR_CLOCKLO
  S2R R9, SR_CLOCKLO
  BRA join
b:
  S2R R8, SR_CLOCKLO
  S2R R9, SR_CLOCKLO
join:
  BSYNC B0
  STS [R6], R8
  STS [R6+0x4], R9
  WARPSYNC 0xffffffff
  LDS R8, [RZ]
  LDS R9, [RZ+0x4]
  LDS R10, [RZ+0xf8]
  LDS R11, [RZ+0xfc]
  ISETP.LT.U32.AND P1, PT, R8, R9, PT
  ISETP.LT.U32.AND P2, PT, R10, R11, PT
  ISETP.LT.U32.AND P3, PT, R9, R10, PT
  ISETP.LT.U32.AND P4, PT, R8, R10, PT
  ISETP.LT.U32.AND P5, PT, R10, R9, PT
  ISETP.LT.U32.AND P6, PT, R9, R11, PT
  MOV R1, RZ
  @P1 IADD3 R1, R1, 0x1, RZ
  @P2 IADD3 R1, R1, 0x2, RZ
  @P3 IADD3 R1, R1, 0x4, RZ
  @P4 IADD3 R1, R1, 0x8, RZ
  @P5 IADD3 R1, R1, 0x10, RZ
  @P6 IADD3 R1, R1, 0x20, RZ
  STG.E [R4], R1
  EXIT
