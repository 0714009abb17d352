# SPDX-License-Identifier: Apache-2.0
#
# LDS beyond the shared memory of the block.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 717 pc=0x40
# expect-message: 16: invalid address space in kernel 'fault_shared_range', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x40
.kernel fault_shared_range
.param 8
.shared 256
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  LDS R1, [RZ+0x100]
  EXIT
