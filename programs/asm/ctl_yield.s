# SPDX-License-Identifier: Apache-2.0
#
# YIELD in converged and in diverged code changes no result.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = repeat 1 2
.kernel ctl_yield
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  YIELD
  LOP3 R2, R0, 0x1, RZ, 0xc0
  ISETP.NE.AND P0, PT, R2, RZ, PT
  MOV R1, RZ
  BSSY B0, join
  @P0 BRA odd
  YIELD
  IADD3 R1, R1, 0x1, RZ
  YIELD
  BRA join
odd:
  IADD3 R1, R1, 0x1, RZ
  YIELD
  IADD3 R1, R1, 0x1, RZ
join:
  BSYNC B0
  @P0 YIELD
  STG.E [R4], R1
  EXIT
