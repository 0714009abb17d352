# SPDX-License-Identifier: Apache-2.0
#
# R40 in a kernel that has 8 registers.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 715 pc=0x40
# expect-message: 16: illegal instruction in kernel 'fault_register', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x40
.kernel fault_register
.param 8
.regs 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R40, 0x1
  EXIT
