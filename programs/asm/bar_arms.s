# SPDX-License-Identifier: Apache-2.0
#
# Both arms of a branch hold a barrier (silicon/warp/corner.csv, test 2): they meet.
#
# settings: diverge=its
# block: 64
# buffer: OUT 256
# expect: OUT[0..31] = 134 134 136 136 138 138 140 140 142 142 144 144 146 146 148 148 150 150 152 152 154 154 156 156 158 158 160 160 162 162 164 164
# expect: OUT[32..63] = 102 102 104 104 106 106 108 108 110 110 112 112 114 114 116 116 118 118 120 120 122 122 124 124 126 126 128 128 130 130 132 132
.kernel bar_arms
.param 8
.shared 256
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  SHF.L.U32 R6, R0, 0x2, RZ
  IADD3 R1, R0, 0x64, RZ
  STS [R6], R1
  LOP3 R7, R6, 0x80, RZ, 0x3c
  LOP3 R2, R0, 0x1, RZ, 0xc0
  ISETP.NE.AND P0, PT, R2, RZ, PT
  BSSY B0, join
  @P0 BRA odd
  BAR.SYNC 0x1
  LDS R3, [R7]
  IADD3 R3, R3, 0x2, RZ
  BRA join
odd:
  BAR.SYNC 0x1
  LDS R3, [R7]
  IADD3 R3, R3, 0x1, RZ
join:
  BSYNC B0
  STG.E [R4], R3
  EXIT
