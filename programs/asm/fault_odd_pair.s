# SPDX-License-Identifier: Apache-2.0
#
# LDG.E.64 into R7: a pair starts at an even register.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 715 pc=0x40
# expect-message: 15: illegal instruction in kernel 'fault_odd_pair', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x40
.kernel fault_odd_pair
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  .word 0x007700000d7777ff, 0x0000000004070740
  EXIT
