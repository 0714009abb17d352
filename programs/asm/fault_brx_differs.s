# SPDX-License-Identifier: Apache-2.0
#
# BRX with differing targets on the SIMT stack: bad program counter.
#
# settings: diverge=stack
# block: 32
# buffer: OUT 128
# expect-fault: 718 pc=0xa0
# expect-message: 24: invalid program counter in kernel 'fault_brx_differs', block (0,0,0), warp 0, lanes 0xffffffff, PC 0xa0
.kernel fault_brx_differs
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  MOV R1, RZ
  LOP3 R2, R0, 0x3, RZ, 0xc0
  BSSY B0, join
  CALL R6, here
here:
  IMAD.U32 R7, R2, 0x20, R6
  IADD3 R7, R7, 0x30, RZ
  BRX R7
  IADD3 R1, R1, 0x1, RZ
  BRA join
  IADD3 R1, R1, 0x2, RZ
  BRA join
  IADD3 R1, R1, 0x4, RZ
  BRA join
  IADD3 R1, R1, 0x8, RZ
join:
  BSYNC B0
  IADD3 R1, R1, 0x100, RZ
  STG.E [R4], R1
  EXIT
