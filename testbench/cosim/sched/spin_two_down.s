# SPDX-License-Identifier: Apache-2.0
#
# Warps hand a token on through a word of shared memory and spin for it: warp 1 has it first, then 0, 1, 0, .... Ends
# only if the scheduler lets every warp go on, whoever spins.
#
# block: 64
# buffer: OUT 256
# expect: OUT[0..31] = fill 9
# expect: OUT[32..63] = fill 8
.kernel spin_two_down
.param 8
.shared 128
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.R.U32.HI R2, RZ, 0x5, R0
  IADD3 R2, -R2, 0x1, RZ
  MOV R6, RZ
  MOV R7, RZ
  MOV R3, R2
  ISETP.NE.AND P0, PT, R2, RZ, PT
  @!P0 STS [R6], RZ
  BAR.SYNC 0x0
wait:
  LDS R8, [R6]
  ISETP.NE.AND P0, PT, R8, R3, PT
  @P0 BRA wait
  IADD3 R8, R8, 0x1, RZ
  STS [R6], R8
  IADD3 R3, R3, 0x2, RZ
  IADD3 R7, R7, 0x1, RZ
  ISETP.LT.AND P0, PT, R7, 0x4, PT
  @P0 BRA wait
  STG.E [R4], R3
  EXIT
