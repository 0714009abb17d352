# SPDX-License-Identifier: Apache-2.0
#
# Warp 0 produces and only arrives (ARV), warp 1 consumes after SYNC; four rounds with an
# acknowledging barrier.
#
# block: 64
# buffer: OUT 256
# expect: OUT[0..7] = fill 0x0
# expect: OUT[8..15] = fill 0x0
# expect: OUT[16..23] = fill 0x0
# expect: OUT[24..31] = fill 0x0
# expect: OUT[32..39] = iota*4+0x3e8
# expect: OUT[40..47] = iota*4+0x408
# expect: OUT[48..55] = iota*4+0x428
# expect: OUT[56..63] = iota*4+0x448
.kernel bar_producer_consumer
.param 8
.shared 128
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.R.U32.HI R2, RZ, 0x5, R0
  LOP3 R3, R0, 0x1f, RZ, 0xc0
  SHF.L.U32 R6, R3, 0x2, RZ
  MOV R1, RZ
  ISETP.NE.AND P0, PT, R2, RZ, PT
  @P0 BRA consumer
  IADD3 R8, R3, 0x64, RZ
  STS [R6], R8
  BAR.ARV 0x1, 64
  BAR.SYNC 0x2, 64
  IADD3 R8, R3, 0xc8, RZ
  STS [R6], R8
  BAR.ARV 0x1, 64
  BAR.SYNC 0x2, 64
  IADD3 R8, R3, 0x12c, RZ
  STS [R6], R8
  BAR.ARV 0x1, 64
  BAR.SYNC 0x2, 64
  IADD3 R8, R3, 0x190, RZ
  STS [R6], R8
  BAR.ARV 0x1, 64
  BAR.SYNC 0x2, 64
  BRA end
consumer:
  BAR.SYNC 0x1, 64
  LDS R8, [R6]
  IADD3 R1, R1, R8, RZ
  BAR.ARV 0x2, 64
  BAR.SYNC 0x1, 64
  LDS R8, [R6]
  IADD3 R1, R1, R8, RZ
  BAR.ARV 0x2, 64
  BAR.SYNC 0x1, 64
  LDS R8, [R6]
  IADD3 R1, R1, R8, RZ
  BAR.ARV 0x2, 64
  BAR.SYNC 0x1, 64
  LDS R8, [R6]
  IADD3 R1, R1, R8, RZ
  BAR.ARV 0x2, 64
end:
  NOP
  STG.E [R4], R1
  EXIT
