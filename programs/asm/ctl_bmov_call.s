# SPDX-License-Identifier: Apache-2.0
#
# A function saves and restores the convergence barrier that its caller uses.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = repeat 0x31 0x12
.kernel ctl_bmov_call
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  LOP3 R2, R0, 0x1, RZ, 0xc0
  ISETP.NE.AND P0, PT, R2, RZ, PT
  MOV R1, 0x1
  BSSY B0, join
  @P0 BRA odd
  CALL R20, fn
  CALL R20, fn
  CALL R20, fn
  BRA join
odd:
  CALL R20, fn
  IADD3 R1, R1, 0x1, RZ
join:
  BSYNC B0
  STG.E [R4], R1
  EXIT
fn:
  BMOV.RD R16, B0
  LOP3 R7, R0, 0x2, RZ, 0xc0
  ISETP.NE.AND P1, PT, R7, RZ, PT
  BSSY B0, fnjoin
  @P1 BRA fnodd
  IADD3 R1, R1, 0x8, RZ
  IADD3 R1, R1, 0x8, RZ
  BRA fnjoin
fnodd:
  IADD3 R1, R1, 0x10, RZ
fnjoin:
  BSYNC B0
  BMOV.WR B0, R16
  RET R20
