# SPDX-License-Identifier: Apache-2.0
#
# A store is seen by the load of the same thread behind it (L1 hit updated by the store).
#
# block: 64
# buffer: OUT 256 iota*2
# expect: OUT = iota*5+3
.kernel mem_load_store_load
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  LDG.E R1, [R4]
  IADD3 R2, R1, R0, RZ
  STG.E [R4], R2
  LDG.E R1, [R4]
  IMAD R2, R0, 0x2, R1
  IADD3 R1, R2, 0x3, RZ
  STG.E [R4], R1
  EXIT
