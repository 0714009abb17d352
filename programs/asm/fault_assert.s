# SPDX-License-Identifier: Apache-2.0
#
# TRAP 1 in one lane: device assert.
#
# block: 32
# buffer: OUT 4096
# expect-fault: 710 pc=0x50
# expect-message: 16: device assert in kernel 'fault_assert', block (0,0,0), warp 0, lanes 0x00000020, PC 0x50
.kernel fault_assert
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  ISETP.EQ.AND P0, PT, R0, 0x5, PT
  @P0 TRAP 0x1
  EXIT
