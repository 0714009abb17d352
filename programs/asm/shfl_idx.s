# SPDX-License-Identifier: Apache-2.0
#
# SHFL.IDX: immediate and register lane, segments, clamps; value and predicate.
#
# block: 32
# buffer: OUT 2048
# expect: OUT[0..31] = fill 0x101
# expect: OUT[32..63] = fill 0x1
# expect: OUT[64..95] = fill 0x105
# expect: OUT[96..127] = fill 0x1
# expect: OUT[128..159] = 0x103 x8 0x10b x8 0x113 x8 0x11b x8
# expect: OUT[160..191] = fill 0x1
# expect: OUT[192..223] = 0x100 x16 0x110 x16
# expect: OUT[224..255] = fill 0x1
# expect: OUT[256..287] = fill 0x100
# expect: OUT[288..319] = fill 0x1
# expect: OUT[320..351] = 0x103 x4 0x107 x4 0x10b x4 0x10f x4 0x113 x4 0x117 x4 0x11b x4 0x11f x4
# expect: OUT[352..383] = fill 0x1
# expect: OUT[384..415] = iota+0x100
# expect: OUT[416..447] = fill 0x1
# expect: OUT[448..479] = fill 0x107
# expect: OUT[480..511] = fill 0x1
.kernel shfl_idx
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IADD3 R10, R0, 0x100, RZ
  MOV R21, 0x1
  SHFL.IDX P0, R1, R10, 0x1, 0x1f
  SEL R2, R21, RZ, P0
  STG.E [R4+0x0], R1
  STG.E [R4+0x80], R2
  MOV R11, 0x5
  MOV R12, 0x1f
  SHFL.IDX P0, R1, R10, R11, R12
  SEL R2, R21, RZ, P0
  STG.E [R4+0x100], R1
  STG.E [R4+0x180], R2
  SHFL.IDX P0, R1, R10, 0x3, 0x181f
  SEL R2, R21, RZ, P0
  STG.E [R4+0x200], R1
  STG.E [R4+0x280], R2
  SHFL.IDX P0, R1, R10, 0x10, 0x100f
  SEL R2, R21, RZ, P0
  STG.E [R4+0x300], R1
  STG.E [R4+0x380], R2
  SHFL.IDX P0, R1, R10, 0x0, 0x1f
  SEL R2, R21, RZ, P0
  STG.E [R4+0x400], R1
  STG.E [R4+0x480], R2
  MOV R11, 0x1f
  MOV R12, 0x1c1f
  SHFL.IDX P0, R1, R10, R11, R12
  SEL R2, R21, RZ, P0
  STG.E [R4+0x500], R1
  STG.E [R4+0x580], R2
  SHFL.IDX P0, R1, R10, 0x2, 0x1f1f
  SEL R2, R21, RZ, P0
  STG.E [R4+0x600], R1
  STG.E [R4+0x680], R2
  SHFL.IDX P0, R1, R10, 0x7, 0xb
  SEL R2, R21, RZ, P0
  STG.E [R4+0x700], R1
  STG.E [R4+0x780], R2
  EXIT
