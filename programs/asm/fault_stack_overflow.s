# SPDX-License-Identifier: Apache-2.0
#
# The 33rd entry of the SIMT stack: hardware stack error.
#
# settings: diverge=stack
# block: 32
# buffer: OUT 4096
# expect-fault: 714 pc=0x40
# expect-message: 17: hardware stack error in kernel 'fault_stack_overflow', block (0,0,0), warp 0, lanes 0xffffffff, PC 0x40
.kernel fault_stack_overflow
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
again:
  BSSY B0, end
  BRA again
end:
  BSYNC B0
  EXIT
