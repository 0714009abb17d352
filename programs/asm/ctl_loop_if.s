# SPDX-License-Identifier: Apache-2.0
#
# if / else inside a divergent loop: odd numbers up to tid added, even ones subtracted.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..7] = 0x0 0x1 0xffffffff 0x2 0xfffffffe 0x3 0xfffffffd 0x4
# expect: OUT[8..15] = 0xfffffffc 0x5 0xfffffffb 0x6 0xfffffffa 0x7 0xfffffff9 0x8
# expect: OUT[16..23] = 0xfffffff8 0x9 0xfffffff7 0xa 0xfffffff6 0xb 0xfffffff5 0xc
# expect: OUT[24..31] = 0xfffffff4 0xd 0xfffffff3 0xe 0xfffffff2 0xf 0xfffffff1 0x10
.kernel ctl_loop_if
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R1, RZ
  MOV R2, RZ
  BSSY B0, done
loop:
  LOP3 R3, R2, 0x1, RZ, 0xc0
  ISETP.EQ.AND P1, PT, R3, RZ, PT
  BSSY B1, join
  @P1 BRA even
  IADD3 R1, R1, R2, RZ
  BRA join
even:
  IADD3 R1, R1, -R2, RZ
join:
  BSYNC B1
  IADD3 R2, R2, 0x1, RZ
  ISETP.LE.AND P0, PT, R2, R0, PT
  @P0 BRA loop
done:
  BSYNC B0
  STG.E [R4], R1
  EXIT
