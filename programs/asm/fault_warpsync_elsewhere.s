# SPDX-License-Identifier: Apache-2.0
#
# WARPSYNC of lanes that are on another path of the SIMT stack: hardware stack error.
#
# settings: diverge=stack
# block: 32
# buffer: OUT 128
# expect-fault: 714 pc=0x80
# expect-message: 22: hardware stack error in kernel 'fault_warpsync_elsewhere', block (0,0,0), warp 0, lanes 0x0000ffff, PC 0x80
.kernel fault_warpsync_elsewhere
.param 8
.shared 128
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4

  SHF.L.U32 R6, R0, 0x2, RZ
  STS [R6], RZ
  ISETP.GE.AND P0, PT, R0, 0x10, PT
  @P0 BRA upper
  WARPSYNC 0xffffffff
  LDS R1, [R6+0x40]
  STG.E [R4], R1
  EXIT
upper:
  IADD3 R1, R0, 0x64, RZ
  STS [R6], R1
  WARPSYNC 0xffffffff
  STG.E [R4], R1
  EXIT
