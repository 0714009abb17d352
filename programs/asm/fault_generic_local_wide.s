# SPDX-License-Identifier: Apache-2.0
#
# A generic access to local memory is one word at most: a frame's words lie apart.
#
# block: 32
# buffer: OUT 128
# expect-fault: 717 pc=0x60
# expect-message: 18: invalid address space in kernel 'fault_generic_local_wide', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x60
.kernel fault_generic_local_wide
.param 8
.local 16
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R6, RZ
  MOV R7, 0x2
  LD.E.64 R8, [R6]
  STG.E [R4], R8
  EXIT
