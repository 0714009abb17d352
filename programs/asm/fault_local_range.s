# SPDX-License-Identifier: Apache-2.0
#
# LDL beyond the frame, in one lane.
#
# block: 32
# buffer: OUT 128
# expect-fault: 714 pc=0x50
# expect-message: 17: hardware stack error in kernel 'fault_local_range', block (0,0,0), warp 0, lanes 0x80000000, PC 0x50
.kernel fault_local_range
.param 8
.local 128
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R6, R0, 0x2, RZ
  LDL R1, [R6+0x4]
  STG.E [R4], R1
  EXIT
