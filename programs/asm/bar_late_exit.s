# SPDX-License-Identifier: Apache-2.0
#
# Warp 1 exits while warp 0 waits: the exit completes the barrier.
#
# block: 64
# buffer: OUT 256
# expect: OUT[0..7] = iota+0x1
# expect: OUT[8..15] = iota+0x9
# expect: OUT[16..23] = iota+0x11
# expect: OUT[24..31] = iota+0x19
# expect: OUT[32..39] = fill 0x0
# expect: OUT[40..47] = fill 0x0
# expect: OUT[48..55] = fill 0x0
# expect: OUT[56..63] = fill 0x0
.kernel bar_late_exit
.param 8
.shared 64
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  ISETP.GE.AND P0, PT, R0, 0x20, PT
  @P0 BRA late
  BAR.SYNC 0x0
  IADD3 R1, R0, 0x1, RZ
  BRA end
late:
  MOV R2, 0x40
spin:
  IADD3 R2, R2, -0x1, RZ
  ISETP.NE.AND P1, PT, R2, RZ, PT
  @P1 BRA spin
  EXIT
end:
  NOP
  STG.E [R4], R1
  EXIT
