# SPDX-License-Identifier: Apache-2.0
#
# Inside one side of a branch both arms of an inner branch exit: their convergence barrier is
# dropped, the other side goes on.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..7] = 0x514 0x0 0x516 0x0 0x518 0x0 0x51a 0x0
# expect: OUT[8..15] = 0x51c 0x0 0x51e 0x0 0x520 0x0 0x522 0x0
# expect: OUT[16..23] = 0x524 0x0 0x526 0x0 0x528 0x0 0x52a 0x0
# expect: OUT[24..31] = 0x52c 0x0 0x52e 0x0 0x530 0x0 0x532 0x0
.kernel ctl_exit_both_sides
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  LOP3 R2, R0, 0x1, RZ, 0xc0
  LOP3 R3, R0, 0x2, RZ, 0xc0
  ISETP.EQ.AND P0, PT, R2, RZ, PT
  ISETP.NE.AND P1, PT, R3, RZ, PT
  BSSY B0, join
  @P0 BRA even
  BSSY B1, inner
  @P1 BRA arm
  EXIT
arm:
  EXIT
inner:
  BSYNC B1
  MOV R1, 0x3
  BRA join
even:
  IADD3 R1, R0, 0x12c, RZ
join:
  BSYNC B0
  IADD3 R1, R1, 0x3e8, RZ
  STG.E [R4], R1
  EXIT
