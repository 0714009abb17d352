# SPDX-License-Identifier: Apache-2.0
#
# A misaligned generic load.
#
# block: 32
# buffer: OUT 128
# expect-fault: 716 pc=0x60
# expect-message: 18: misaligned address at 0x100000002 in kernel 'fault_generic_misaligned', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x60
.kernel fault_generic_misaligned
.param 8
.shared 128
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R6, 0x2
  MOV R7, 0x1
  LD.E R8, [R6]
  STG.E [R4], R8
  EXIT
