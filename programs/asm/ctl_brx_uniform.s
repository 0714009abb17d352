# SPDX-License-Identifier: Apache-2.0
#
# BRX where each warp has its own target, and with a guard: the lanes without it fall through.
#
# block: 128
# buffer: OUT 512
# expect: OUT[0..31] = repeat 0x111 0x101
# expect: OUT[32..63] = repeat 0x112 0x102
# expect: OUT[64..95] = repeat 0x114 0x104
# expect: OUT[96..127] = repeat 0x118 0x108
.kernel ctl_brx_uniform
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  MOV R1, RZ
  LOP3 R3, R0, 0x1, RZ, 0xc0
  ISETP.EQ.AND P0, PT, R3, RZ, PT
  SHF.R.U32.HI R2, RZ, 0x5, R0
  CALL R6, here
here:
  IMAD.U32 R7, R2, 0x20, R6
  IADD3 R7, R7, 0x30, RZ
  BRX R7
  IADD3 R1, R1, 0x1, RZ
  BRA join
  IADD3 R1, R1, 0x2, RZ
  BRA join
  IADD3 R1, R1, 0x4, RZ
  BRA join
  IADD3 R1, R1, 0x8, RZ
join:
  BSSY B1, both
  CALL R6, there
there:
  IADD3 R6, R6, 0x40, RZ
  @P0 BRX R6
  IADD3 R1, R1, 0x100, RZ
  BRA both
  IADD3 R1, R1, 0x110, RZ
both:
  BSYNC B1
  STG.E [R4], R1
  EXIT
