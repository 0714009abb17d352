# SPDX-License-Identifier: Apache-2.0
#
# BSYNC on an empty stack: hardware stack error.
#
# settings: diverge=stack
# block: 32
# buffer: OUT 4096
# expect-fault: 714 pc=0x40
# expect-message: 16: hardware stack error in kernel 'fault_bsync_alone', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x40
.kernel fault_bsync_alone
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  BSYNC B3
  EXIT
