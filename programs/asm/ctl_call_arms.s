# SPDX-License-Identifier: Apache-2.0
#
# One function, called from both arms of a branch, that uses the same convergence barrier in both calls at once: each
# lane waits only for those that opened it together. The halves alternate.
#
# settings: diverge=its split=alternate
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = repeat 0x111 0x122 0x119 0x12a
.kernel ctl_call_arms
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  LOP3 R2, R0, 0x1, RZ, 0xc0
  ISETP.NE.AND P0, PT, R2, RZ, PT
  LOP3 R7, R0, 0x2, RZ, 0xc0
  ISETP.NE.AND P1, PT, R7, RZ, PT
  MOV R1, RZ
  BSSY B1, join
  @P0 BRA odd
  CALL R20, fn
  IADD3 R1, R1, 0x10, RZ
  BRA join
odd:
  IADD3 R1, R1, 0x1, RZ
  CALL R20, fn
  IADD3 R1, R1, 0x20, RZ
join:
  BSYNC B1
  IADD3 R1, R1, 0x100, RZ
  STG.E [R4], R1
  EXIT
fn:
  BSSY B0, fnjoin
  @P1 BRA fnodd
  IADD3 R1, R1, 0x1, RZ
  BRA fnjoin
fnodd:
  IADD3 R1, R1, 0x4, RZ
  IADD3 R1, R1, 0x5, RZ
fnjoin:
  BSYNC B0
  RET R20
