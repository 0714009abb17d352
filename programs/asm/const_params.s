# SPDX-License-Identifier: Apache-2.0
#
# Parameters of 32 and 64 bits at their alignment.
#
# block: 1
# buffer: OUT 16
# param: u32 5
# param: u64 0x1122334455667788
# expect: OUT[0..3] = 0x5 0x55667788 0x11223344 0x1
.kernel const_params
.param 8
.param 4
.param 8
  MOV R4, c[0x0][0x160]
  MOV R5, c[0x0][0x164]
  MOV R8, c[0x0][0x168]
  MOV R9, c[0x0][0x170]
  MOV R10, c[0x0][0x174]
  MOV R11, c[0x0][0x0]
  STG.E.128 [R4], R8
  EXIT
