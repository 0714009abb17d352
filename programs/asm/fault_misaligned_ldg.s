# SPDX-License-Identifier: Apache-2.0
#
# LDG.E at an address that is no multiple of 4.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 716 pc=0x40
# expect-message: 15: misaligned address at 0x200100000002: inside the allocation of 4096 bytes at 0x200100000000 in kernel 'fault_misaligned_ldg', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x40
.kernel fault_misaligned_ldg
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  LDG.E R1, [R4+0x2]
  EXIT
