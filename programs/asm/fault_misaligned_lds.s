# SPDX-License-Identifier: Apache-2.0
#
# LDS.128 at a multiple of 8.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 716 pc=0x40
# expect-message: 16: misaligned address at 0x8 in kernel 'fault_misaligned_lds', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x40
.kernel fault_misaligned_lds
.param 8
.shared 256
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  LDS.128 R8, [RZ+0x8]
  EXIT
