# SPDX-License-Identifier: Apache-2.0
#
# A misaligned load while earlier loads and stores of the same warp are still under way: they take effect, the fault is
# reported.
#
# block: 32
# buffer: OUT 16384 iota
# expect-fault: 716 pc=0xc0
# expect-message: 24: misaligned address at 0x200100000002: inside the allocation of 16384 bytes at 0x200100000000 in kernel 'fault_after_loads', block (0,0,0), warp 0, lanes 0xffffffff, PC 0xc0
.kernel fault_after_loads
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R6, R0, 0x80, R4
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  IADD3 R4, R4, 0x2, RZ
  STG.E.128 [R6+0x40], R20
  LDG.E.128 R12, [R6]
  LDG.E.128 R16, [R6+0x10]
  LDG.E.128 R20, [R6+0x20]
  LDG.E.128 R24, [R6+0x30]
  LDG.E R28, [R6+0x40]
  LDG.E R29, [R4]
  EXIT
