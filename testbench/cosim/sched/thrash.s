# SPDX-License-Identifier: Apache-2.0
#
# Eight warps walk their own 32 lines six times. The L1 of `tiny` holds 128 lines, one line of each set
# for four warps. With all eight in turn nothing is left when a warp comes back; a scheduler that limits the warps
# that load keeps it. The buffer has 8 x 32 lines of 32 words.
#
# block: 256
# buffer: OUT 1024
# buffer: A 32768
# init: A[0..8191] = iota*1+0
# expect: OUT[0..31] = iota*192+95232
# expect: OUT[32..63] = iota*192+291840
# expect: OUT[64..95] = iota*192+488448
# expect: OUT[96..127] = iota*192+685056
# expect: OUT[128..159] = iota*192+881664
# expect: OUT[160..191] = iota*192+1078272
# expect: OUT[192..223] = iota*192+1274880
# expect: OUT[224..255] = iota*192+1471488
.kernel thrash
.param 16
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.R.U32.HI R2, RZ, 0x5, R0
  LOP3 R3, R0, 0x1f, RZ, 0xc0
  MOV R10, c[0x0][0x168]
  MOV R11, c[0x0][0x16c]
  SHF.L.U32 R12, R2, 0xa, RZ
  IADD3 R12, R12, R3, RZ
  IMAD.WIDE.U32 R10, R12, 0x4, R10
  MOV R1, RZ
  MOV R7, RZ
round:
  LDG.E R16, [R10+0x0]
  LDG.E R17, [R10+0x80]
  LDG.E R18, [R10+0x100]
  LDG.E R19, [R10+0x180]
  LDG.E R20, [R10+0x200]
  LDG.E R21, [R10+0x280]
  LDG.E R22, [R10+0x300]
  LDG.E R23, [R10+0x380]
  IADD3 R1, R1, R16, R17
  IADD3 R1, R1, R18, R19
  IADD3 R1, R1, R20, R21
  IADD3 R1, R1, R22, R23
  LDG.E R16, [R10+0x400]
  LDG.E R17, [R10+0x480]
  LDG.E R18, [R10+0x500]
  LDG.E R19, [R10+0x580]
  LDG.E R20, [R10+0x600]
  LDG.E R21, [R10+0x680]
  LDG.E R22, [R10+0x700]
  LDG.E R23, [R10+0x780]
  IADD3 R1, R1, R16, R17
  IADD3 R1, R1, R18, R19
  IADD3 R1, R1, R20, R21
  IADD3 R1, R1, R22, R23
  LDG.E R16, [R10+0x800]
  LDG.E R17, [R10+0x880]
  LDG.E R18, [R10+0x900]
  LDG.E R19, [R10+0x980]
  LDG.E R20, [R10+0xa00]
  LDG.E R21, [R10+0xa80]
  LDG.E R22, [R10+0xb00]
  LDG.E R23, [R10+0xb80]
  IADD3 R1, R1, R16, R17
  IADD3 R1, R1, R18, R19
  IADD3 R1, R1, R20, R21
  IADD3 R1, R1, R22, R23
  LDG.E R16, [R10+0xc00]
  LDG.E R17, [R10+0xc80]
  LDG.E R18, [R10+0xd00]
  LDG.E R19, [R10+0xd80]
  LDG.E R20, [R10+0xe00]
  LDG.E R21, [R10+0xe80]
  LDG.E R22, [R10+0xf00]
  LDG.E R23, [R10+0xf80]
  IADD3 R1, R1, R16, R17
  IADD3 R1, R1, R18, R19
  IADD3 R1, R1, R20, R21
  IADD3 R1, R1, R22, R23
  IADD3 R7, R7, 0x1, RZ
  ISETP.LT.AND P0, PT, R7, 0x6, PT
  @P0 BRA round
  STG.E [R4], R1
  EXIT
