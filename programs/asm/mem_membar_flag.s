# SPDX-License-Identifier: Apache-2.0
#
# One warp stores data, MEMBAR.GPU, then a flag; the other waits for the flag (.CV) and reads the data.
#
# block: 64
# buffer: OUT 128
# buffer: DATA 512
# buffer: FLAG 32
# expect: DATA[0..127] = any
# expect: FLAG[0] = 0x1
# expect: OUT[0..7] = 0x2e 0x5e 0x8e 0xbe 0xee 0x11e 0x14e 0x17e
# expect: OUT[8..15] = 0x1ae 0x1de 0x20e 0x23e 0x26e 0x29e 0x2ce 0x2fe
# expect: OUT[16..23] = 0x32e 0x35e 0x38e 0x3be 0x3ee 0x41e 0x44e 0x47e
# expect: OUT[24..31] = 0x4ae 0x4de 0x50e 0x53e 0x56e 0x59e 0x5ce 0x5fe
.kernel mem_membar_flag
.param 8
.param 8
.param 8
  S2R R0, SR_TID.X
  MOV R6, c[0x0][0x168]
  MOV R7, c[0x0][0x16c]
  MOV R8, c[0x0][0x170]
  MOV R9, c[0x0][0x174]
  LOP3 R1, R0, 0x1f, RZ, 0xc0
  IMAD.WIDE.U32 R6, R1, 0x10, R6
  ISETP.LT.AND P0, PT, R0, 0x20, PT
  @!P0 BRA.U reader
  SHF.L.U32 R12, R1, 0x2, RZ
  IMAD R12, R12, 0x3, RZ
  IADD3 R12, R12, 0x7, RZ
  IADD3 R13, R12, 0x3, RZ
  IADD3 R14, R12, 0x6, RZ
  IADD3 R15, R12, 0x9, RZ
  STG.E [R6], R12
  STG.E [R6+0x4], R13
  STG.E [R6+0x8], R14
  STG.E [R6+0xc], R15
  MEMBAR.GPU
  MOV R16, 0x1
  ISETP.EQ.AND P1, PT, R1, 0x0, PT
  @P1 STG.E [R8], R16
  EXIT
reader:
wait:
  LDG.E.CV R16, [R8]
  ISETP.EQ.AND P1, PT, R16, 0x0, PT
  @P1 BRA.U wait
  MEMBAR.CTA
  CCTL.IVALL
  LDG.E.128 R12, [R6]
  IADD3 R12, R12, R13, R14
  IADD3 R12, R12, R15, RZ
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  IMAD.WIDE.U32 R4, R1, 0x4, R4
  STG.E [R4], R12
  EXIT
