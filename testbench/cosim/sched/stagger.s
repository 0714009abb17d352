# SPDX-License-Identifier: Apache-2.0
#
# For v100: 32 warps, eight a sub-core. Each: load a sector of a line that nobody has, wait for it, then 20 additions
# of each kind; 12 times. Round robin brings all warps to the load together, and then all wait; a small active set
# lets some compute while others wait.
#
# block: 1024
# buffer: OUT 4096
# buffer: A 49152
# init: A[0..12287] = fill 3
# expect: OUT = fill 276
.kernel stagger
.param 16
  S2R R0, SR_TID.X
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R0, 0x4, R4
  SHF.R.U32.HI R2, RZ, 0x5, R0
  LOP3 R3, R0, 0x7, RZ, 0xc0
  MOV R10, c[0x0][0x168]
  MOV R11, c[0x0][0x16c]
  SHF.L.U32 R12, R2, 0x5, RZ
  IADD3 R12, R12, R3, RZ
  IMAD.WIDE.U32 R10, R12, 0x4, R10
  MOV R1, RZ
  MOV R7, RZ
again:
  LDG.E R8, [R10]
  IADD3 R10, P1, R10, 0x1000, RZ
  IADD3.X R11, R11, RZ, RZ, P1
  IADD3 R1, R1, R8, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  FADD R9, R8, R8
  IADD3 R1, R1, 0x1, RZ
  IADD3 R7, R7, 0x1, RZ
  ISETP.LT.AND P0, PT, R7, 0xc, PT
  @P0 BRA again
  STG.E [R4], R1
  EXIT
