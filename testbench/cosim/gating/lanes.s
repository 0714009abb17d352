# SPDX-License-Identifier: Apache-2.0
#
# Every class of instruction with the odd lanes inactive, by guard and by path, their registers full of other values than zero:
# whatever an inactive lane did would show. No result is judged here but by lockstep; the assertions of testbench/sva watch.
#
# block: 32
# buffer: OUT 4096 iota*3+1
# expect: OUT[0..1023] = any
.kernel lanes
.param 8
.shared 512
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.L.U32 R6, R0, 0x2, RZ
  LOP3 R2, R0, 0x1, RZ, 0xc0
  ISETP.EQ.AND P0, PT, R2, RZ, PT
  ISETP.NE.AND P1, PT, R0, 0x5, PT
  IMAD R12, R0, 0x1351, R0
  IADD3 R12, R12, 0x3f801235, RZ
  MOV R13, R12
  IMAD R14, R0, 0x3571, R12
  MOV R15, R14
  IMAD R16, R0, 0x5791, R14
  MOV R17, R12
  IADD3 R18, R16, R0, RZ
  MOV R19, R14
  MOV R20, R12
  MOV R21, R13
  MOV R22, R14
  MOV R23, R15
  STS [R6], R12
  STS [R6+0x80], R14
# Guarded: int, fp32, half, fp64, cvt, sfu
  @P0 IADD3 R24, R12, R14, R16
  @P0 IMAD R25, R12, R14, R16
  @P0 ISETP.LT.AND P2, PT, R12, R14, PT
  @P0 FFMA R24, R12, R14, R16
  @P0 FADD R25, R12, R14
  @P0 HFMA2 R24, R12, R14, R16
  @P0 HADD2 R25, R12, R14
  @P0 DFMA R24, R12, R14, R16
  @P0 DADD R26, R12, R14
  @P0 F2I.S32.F32.RZ R24, R12
  @P0 I2F.F32.S32.RZ R25, R14
  @P0 POPC R24, R12
  @P0 MUFU.RCP R24, R12
  @P0 MUFU.EX2 R25, R14
# Matrix
  @P0 HMMA.1688.F32.F16 R24, R12, R16, R20
  @P0 IMMA.8816.S8.S8 R24, R12, R16, R20
  @P0 DMMA R24, R12, R16, R20
# Memory
  @P0 LDG.E R24, [R4]
  @P0 LDG.E.CG R25, [R4+0x80]
  @P0 STG.E [R4+0x100], R12
  @P0 ATOMG.E.U32.ADD R26, [R4+0x200], R12
  @P0 RED.E.U32.ADD [R4+0x280], R14
  @P0 LDS R24, [R6]
  @P0 STS [R6+0x100], R12
  @P0 ATOMS.U32.ADD R25, [R6+0x180], R12
# Across lanes
  @P0 SHFL.BFLY R24, R12, 0x1, 0x1f
  @P0 VOTE.ANY R25, P3, 0xffffffff, P0
  MOV R3, 0x7
  @P0 MATCH.ANY R26, PT, R3, 0xffffffff
  @P0 REDUX.ADD R27, R12, 0xffffffff
# A path that the odd lanes do not take
  BSSY B0, join
  @!P0 BRA odd
  @P1 IADD3 R24, R12, R14, R16
  ISETP.LT.AND P4, PT, R0, 0x10, PT
  BSSY B1, inner
  @P4 BRA inner
  FMUL R25, R12, R14
inner:
  BSYNC B1
  STG.E [R4+0x300], R25
  BRA join
odd:
  IADD3 R26, R12, 0x1, RZ
join:
  BSYNC B0
# All lanes but one come to the barrier, then this one
  @P1 BAR.SYNC 0x0
  @!P1 BAR.SYNC 0x0
  STG.E [R4+0x380], R26
  EXIT
