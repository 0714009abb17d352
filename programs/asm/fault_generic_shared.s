# SPDX-License-Identifier: Apache-2.0
#
# A generic load of the shared window beyond the block's 128 bytes; the other lanes' global address is good.
#
# block: 32
# buffer: OUT 128
# expect-fault: 717 pc=0x90
# expect-message: 21: invalid address space in kernel 'fault_generic_shared', block (0,0,0), warp 0, lanes 0x00000020, PC 0x90
.kernel fault_generic_shared
.param 8
.shared 128
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  ISETP.EQ.AND P0, PT, R0, 0x5, PT
  MOV R6, R4
  MOV R7, R5
  @P0 MOV R6, 0x80
  @P0 MOV R7, 0x1
  LD.E R8, [R6]
  STG.E [R4], R8
  EXIT
