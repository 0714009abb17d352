# SPDX-License-Identifier: Apache-2.0
#
# LDG.E.64 at an address that is a multiple of 4 only, in one lane.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 716 pc=0x50
# expect-message: 16: misaligned address at 0x200100000004: inside the allocation of 4096 bytes at 0x200100000000 in kernel 'fault_misaligned_ldg64', block (0,0,0), warp 0, lanes 0x00000002, PC 0x50
.kernel fault_misaligned_ldg64
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  ISETP.EQ.AND P0, PT, R0, 0x1, PT
  @P0 LDG.E.64 R2, [R4]
  EXIT
