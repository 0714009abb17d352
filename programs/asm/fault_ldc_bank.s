# SPDX-License-Identifier: Apache-2.0
#
# LDC from a bank that no launch has.
#
# block: 32
# buffer: OUT 128
# expect-fault: 717 pc=0x40
# expect-message: 15: invalid address space in kernel 'fault_ldc_bank', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x40
.kernel fault_ldc_bank
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  LDC R8, c[0x4][RZ]
  STG.E [R4], R8
  EXIT
