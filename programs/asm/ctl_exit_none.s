# SPDX-License-Identifier: Apache-2.0
#
# A guarded EXIT that no lane takes; then one that all lanes of the running side take.
#
# block: 32
# buffer: OUT 128
# expect: OUT[0..31] = 0x0 x16 0x15 0x16 0x17 0x18 0x19 0x1a 0x1b 0x1c 0x1d 0x1e 0x1f 0x20 0x21 0x22 0x23 0x24
.kernel ctl_exit_none
.param 8
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  ISETP.GE.AND P0, PT, R0, 0x10, PT
  ISETP.LT.AND P1, PT, R0, RZ, PT
  BSSY B0, join
  @P0 BRA join
  @P1 EXIT
  @!P0 EXIT
  MOV R1, 0x9
join:
  BSYNC B0
  IADD3 R1, R0, 0x5, RZ
  STG.E [R4], R1
  EXIT
