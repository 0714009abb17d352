# SPDX-License-Identifier: Apache-2.0
#
# A floating-point atomic on a generic shared address: shared memory has none.
#
# block: 32
# buffer: OUT 128
# expect-fault: 717 pc=0x60
# expect-message: 18: invalid address space in kernel 'fault_generic_atom_float', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x60
.kernel fault_generic_atom_float
.param 8
.shared 128
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R6, RZ
  MOV R7, 0x1
  ATOM.E.F32.ADD R8, [R6], R0
  STG.E [R4], R8
  EXIT
