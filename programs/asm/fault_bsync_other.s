# SPDX-License-Identifier: Apache-2.0
#
# BSYNC whose barrier is not the one on top of the stack.
#
# settings: diverge=stack
# block: 32
# buffer: OUT 4096
# expect-fault: 714 pc=0x50
# expect-message: 17: hardware stack error in kernel 'fault_bsync_other', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x50
.kernel fault_bsync_other
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  BSSY B1, end
  BSYNC B2
end:
  BSYNC B1
  EXIT
