# SPDX-License-Identifier: Apache-2.0
#
# A word of zeros is no instruction.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 715 pc=0x40
# expect-message: 15: illegal instruction in kernel 'fault_zero_word', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x40
.kernel fault_zero_word
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  .word 0x0, 0x0
  EXIT
