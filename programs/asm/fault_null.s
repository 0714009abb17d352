# SPDX-License-Identifier: Apache-2.0
#
# LDG from address 0 (below 64 KiB): illegal address, reported by memory.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 700
# expect-message: 17: illegal address at 0x0 in kernel 'fault_null', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x60
.kernel fault_null
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  MOV R2, RZ
  MOV R3, RZ
  LDG.E R1, [R2]
  IADD3 R1, R1, 0x1, RZ
  EXIT
