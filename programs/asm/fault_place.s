# SPDX-License-Identifier: Apache-2.0
#
# The place of a fault: one lane of the second warp of block (1,2,0), on a path that the other lanes do not take.
#
# grid: 2 3
# block: 8 8
# buffer: OUT 4096
# expect-fault: 716 pc=0x120
# expect-message: 30: misaligned address at 0x200100000001: inside the allocation of 4096 bytes at 0x200100000000 in kernel 'fault_place', block (1,2,0), warp 1, lanes 0x00000008, PC 0x120
.kernel fault_place
.param 8
  S2R R0, SR_TID.X
  S2R R1, SR_TID.Y
  S2R R2, SR_CTAID.X
  S2R R3, SR_CTAID.Y
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD R0, R1, 0x8, R0
  IMAD R2, R3, 0x2, R2
  IMAD R0, R2, 0x40, R0
  ISETP.NE.AND P0, PT, R0, 0x163, PT
  IADD3 R6, R4, 0x1, RZ
  MOV R7, R5
  BSSY B0, join
  @P0 BRA join
  NOP
  NOP
  NOP
  NOP
  LDG.E R1, [R6]
  NOP
join:
  BSYNC B0
  EXIT
