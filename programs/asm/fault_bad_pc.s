# SPDX-License-Identifier: Apache-2.0
#
# A branch to an address that is no multiple of 16.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 718
# expect-message: 15: invalid program counter in kernel 'fault_bad_pc', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x40
.kernel fault_bad_pc
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  BRA .+0x18
  EXIT
