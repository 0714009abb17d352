# SPDX-License-Identifier: Apache-2.0
#
# Warp 2 exits while warp 0 waits and warp 1 still works: the exit alone must not complete the
# barrier.
#
# block: 96
# buffer: OUT 384
# expect: OUT[0..7] = iota+0x214
# expect: OUT[8..15] = iota+0x21c
# expect: OUT[16..23] = iota+0x224
# expect: OUT[24..31] = iota+0x22c
# expect: OUT[32..39] = iota+0x1f4
# expect: OUT[40..47] = iota+0x1fc
# expect: OUT[48..55] = iota+0x204
# expect: OUT[56..63] = iota+0x20c
# expect: OUT[64..71] = fill 0x0
# expect: OUT[72..79] = fill 0x0
# expect: OUT[80..87] = fill 0x0
# expect: OUT[88..95] = fill 0x0
.kernel bar_exit_not_last
.param 8
.shared 512
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.R.U32.HI R2, RZ, 0x5, R0
  ISETP.EQ.AND P0, PT, R2, 0x2, PT
  @P0 EXIT
  SHF.L.U32 R6, R0, 0x2, RZ
  ISETP.EQ.AND P1, PT, R2, RZ, PT
  @P1 BRA wait
  MOV R3, 0x80
spin:
  IADD3 R3, R3, -0x1, RZ
  ISETP.NE.AND P2, PT, R3, RZ, PT
  @P2 BRA spin
wait:
  IADD3 R7, R0, 0x1f4, RZ
  STS [R6], R7
  BAR.SYNC 0x0
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LDS R1, [R7]
  STG.E [R4], R1
  EXIT
