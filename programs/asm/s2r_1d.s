# SPDX-License-Identifier: Apache-2.0
#
# S2R: thread, block and lane numbers in a one-dimensional block of 80.
#
# grid: 3 1 1
# block: 80 1 1
# buffer: OUT 7680
# expect: OUT[0..7] = iota
# expect: OUT[8..15] = iota+0x8
# expect: OUT[16..23] = iota+0x10
# expect: OUT[24..31] = iota+0x18
# expect: OUT[32..39] = iota+0x20
# expect: OUT[40..47] = iota+0x28
# expect: OUT[48..55] = iota+0x30
# expect: OUT[56..63] = iota+0x38
# expect: OUT[64..71] = iota+0x40
# expect: OUT[72..79] = iota+0x48
# expect: OUT[80..87] = iota
# expect: OUT[88..95] = iota+0x8
# expect: OUT[96..103] = iota+0x10
# expect: OUT[104..111] = iota+0x18
# expect: OUT[112..119] = iota+0x20
# expect: OUT[120..127] = iota+0x28
# expect: OUT[128..135] = iota+0x30
# expect: OUT[136..143] = iota+0x38
# expect: OUT[144..151] = iota+0x40
# expect: OUT[152..159] = iota+0x48
# expect: OUT[160..167] = iota
# expect: OUT[168..175] = iota+0x8
# expect: OUT[176..183] = iota+0x10
# expect: OUT[184..191] = iota+0x18
# expect: OUT[192..199] = iota+0x20
# expect: OUT[200..207] = iota+0x28
# expect: OUT[208..215] = iota+0x30
# expect: OUT[216..223] = iota+0x38
# expect: OUT[224..231] = iota+0x40
# expect: OUT[232..239] = iota+0x48
# expect: OUT[240..479] = fill 0x0
# expect: OUT[480..719] = fill 0x0
# expect: OUT[720..959] = 0x0 x80 0x1 x80 0x2 x80
# expect: OUT[960..1199] = fill 0x0
# expect: OUT[1200..1439] = fill 0x0
# expect: OUT[1440..1447] = iota
# expect: OUT[1448..1455] = iota+0x8
# expect: OUT[1456..1463] = iota+0x10
# expect: OUT[1464..1471] = iota+0x18
# expect: OUT[1472..1479] = iota
# expect: OUT[1480..1487] = iota+0x8
# expect: OUT[1488..1495] = iota+0x10
# expect: OUT[1496..1503] = iota+0x18
# expect: OUT[1504..1511] = iota
# expect: OUT[1512..1519] = iota+0x8
# expect: OUT[1520..1527] = iota
# expect: OUT[1528..1535] = iota+0x8
# expect: OUT[1536..1543] = iota+0x10
# expect: OUT[1544..1551] = iota+0x18
# expect: OUT[1552..1559] = iota
# expect: OUT[1560..1567] = iota+0x8
# expect: OUT[1568..1575] = iota+0x10
# expect: OUT[1576..1583] = iota+0x18
# expect: OUT[1584..1591] = iota
# expect: OUT[1592..1599] = iota+0x8
# expect: OUT[1600..1607] = iota
# expect: OUT[1608..1615] = iota+0x8
# expect: OUT[1616..1623] = iota+0x10
# expect: OUT[1624..1631] = iota+0x18
# expect: OUT[1632..1639] = iota
# expect: OUT[1640..1647] = iota+0x8
# expect: OUT[1648..1655] = iota+0x10
# expect: OUT[1656..1663] = iota+0x18
# expect: OUT[1664..1671] = iota
# expect: OUT[1672..1679] = iota+0x8
.kernel s2r_1d
.param 8
  S2R R8, SR_TID.X
  S2R R9, SR_TID.Y
  S2R R10, SR_TID.Z
  S2R R11, SR_CTAID.X
  S2R R12, SR_CTAID.Y
  S2R R13, SR_CTAID.Z
  S2R R14, SR_LANEID
  IMAD R0, R10, c[0x0][0x4], R9
  IMAD R0, R0, c[0x0][0x0], R8
  // block number
  IMAD R1, R13, c[0x0][0x10], R12
  IMAD R1, R1, c[0x0][0xc], R11
  MOV R2, 0x50
  IMAD R0, R1, R2, R0
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  STG.E [R4+0x0], R8
  STG.E [R4+0x3c0], R9
  STG.E [R4+0x780], R10
  STG.E [R4+0xb40], R11
  STG.E [R4+0xf00], R12
  STG.E [R4+0x12c0], R13
  STG.E [R4+0x1680], R14
  EXIT
