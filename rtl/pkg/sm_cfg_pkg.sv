// Generated from isa/isa.def and isa/cfg.def by: build/bin/isagen . (do not edit)
// SPDX-License-Identifier: Apache-2.0
//
// sm_cfg_pkg: numbers and names that more than one room needs.
package sm_cfg_pkg;

  localparam int unsigned AbiVersion = 11;  // C ABI over the RTL, cosim/sm_dut.h
  localparam int unsigned WarpThreads = 32;  // lanes of a warp
  localparam int unsigned LineBytes = 128;  // cache line; one row of the shared/L1 array
  localparam int unsigned SectorBytes = 32;  // sector: the unit of memory traffic
  localparam int unsigned InsnBytes = 16;  // instruction word
  localparam int unsigned MaxSubCores = 4;
  localparam int unsigned MaxWarpSlots = 16;  // warp slots of a sub-core
  localparam int unsigned MaxBlockSlots = 32;  // block slots of an SM
  localparam int unsigned Barriers = 16;  // named barriers of a block slot
  localparam int unsigned ConvBarriers = 16;  // convergence barriers B0..B15 of a warp
  localparam int unsigned StackDepth = 32;  // SIMT stack entries of a warp
  localparam int unsigned RegUnit = 8;  // registers per thread round up to this
  localparam int unsigned AddrBits = 48;  // device address bits in RTL
  localparam int unsigned PcBits = 28;  // byte PC in the code window
  localparam int unsigned MemIds = 256;  // request ids of an SM's memory port
  localparam int unsigned MemCredits = 16;  // requests an SM may have in the port's queue
  localparam int unsigned LoadSlots = 128;  // load instructions in flight of an SM
  localparam int unsigned StoreSlots = 64;  // unacknowledged stores of an SM
  localparam int unsigned Mshrs = 64;  // line MSHRs of an L1
  localparam int unsigned MshrMerge = 8;  // requests merged into one MSHR
  localparam int unsigned ParamBase = 352;  // first parameter byte in constant bank 0
  localparam int unsigned SchedWithhold = 4096;  // progress=on: cycles for which a policy may leave an eligible warp waiting; multiple of SchedStep, at most 64 of them
  localparam int unsigned SchedStep = 64;  // cycles, the step in which waits are counted
  localparam int unsigned SchedGrant = 64;  // instructions that it then issues first
  localparam int unsigned TwoLevelActive = 4;  // twolevel, knob 0 = 0: active warps of a sub-core
  localparam int unsigned SwlWarps = 4;  // swl, knob 0 = 0: warps of a sub-core that may issue
  localparam int unsigned CcwsBase = 100;  // ccws, knob 0 = 0: base score
  localparam int unsigned CcwsHit = 100;  // ccws, knob 1 = 0: points of a victim-tag hit
  localparam int unsigned GcawsCpi = 4;  // gcaws, knob 0 = 0: cycles an instruction
  localparam int unsigned FaultLow = 65536;  // addresses below this fault
  localparam logic [3:0] PolicyLrr = 4'd0;  // loose round robin
  localparam logic [3:0] PolicyRr = 4'd1;  // strict round robin: a slot whose turn it is and that is not eligible loses the cycle
  localparam logic [3:0] PolicyOld = 4'd2;  // oldest first
  localparam logic [3:0] PolicyGto = 4'd3;  // greedy, then oldest (Rogers et al., MICRO 2012)
  localparam logic [3:0] PolicyTwoLevel = 4'd4;  // active and pending warps (Gebhart et al., ISCA 2011); knob 0: active warps of a sub-core, 1..16
  localparam logic [3:0] PolicySwl = 4'd5;  // static warp limiting (Rogers et al., MICRO 2012); knob 0: warps of a sub-core that may issue, 1..16
  localparam logic [3:0] PolicyCcws = 4'd6;  // cache-conscious (Rogers et al., MICRO 2012); knob 0: base score, 1..4095; knob 1: score of a victim-tag hit, 1..65535
  localparam logic [3:0] PolicyGcaws = 4'd7;  // criticality-aware (Lee et al., ISCA 2015); knob 0: cycles an instruction, 1..255
  localparam logic [3:0] PolicyGty = 4'd8;  // greedy, then youngest (Huerta et al., MICRO 2025), for the control-bits mode
  localparam logic [3:0] PolicyExt = 4'd15;  // pick comes from the pick port
  localparam logic [3:0] ReasonIssued = 4'd0;
  localparam logic [3:0] ReasonPipeBusy = 4'd1;
  localparam logic [3:0] ReasonLsuFull = 4'd2;
  localparam logic [3:0] ReasonRegBank = 4'd3;  // no free collector or a bank conflict
  localparam logic [3:0] ReasonDepFixed = 4'd4;
  localparam logic [3:0] ReasonBranchSwitch = 4'd5;  // branch or split switch
  localparam logic [3:0] ReasonDepShort = 4'd6;  // shared memory, special functions
  localparam logic [3:0] ReasonDepLong = 4'd7;  // global memory
  localparam logic [3:0] ReasonNoInsn = 4'd8;
  localparam logic [3:0] ReasonMembar = 4'd9;
  localparam logic [3:0] ReasonBarrier = 4'd10;
  localparam logic [3:0] ReasonThrottled = 4'd11;  // withheld by the policy
  localparam logic [3:0] ReasonSleep = 4'd12;  // asleep; its: also no lane that can run
  localparam logic [3:0] ReasonFinished = 4'd13;  // all lanes have exited, the block has not
  localparam logic [3:0] ReasonNoWarp = 4'd14;
  localparam logic [3:0] ReasonNotSelected = 4'd15;  // eligible, not picked; of a slot: no pick, none withheld
  localparam logic [2:0] StateFree = 3'd0;
  localparam logic [2:0] StateInit = 3'd1;  // bound, not yet started
  localparam logic [2:0] StateRun = 3'd2;
  localparam logic [2:0] StateAtBar = 3'd3;
  localparam logic [2:0] StateDone = 3'd4;  // all lanes exited, slot kept
  localparam logic [2:0] StateFault = 3'd5;
  localparam logic [2:0] StateMembar = 3'd6;  // waits in a MEMBAR or CCTL
  localparam logic [7:0] SrTidX = 8'd0;
  localparam logic [7:0] SrTidY = 8'd1;
  localparam logic [7:0] SrTidZ = 8'd2;
  localparam logic [7:0] SrCtaidX = 8'd3;
  localparam logic [7:0] SrCtaidY = 8'd4;
  localparam logic [7:0] SrCtaidZ = 8'd5;
  localparam logic [7:0] SrLaneId = 8'd6;
  localparam logic [7:0] SrWarpId = 8'd7;  // slot: warp slot * SubCores + sub-core
  localparam logic [7:0] SrNWarpId = 8'd8;
  localparam logic [7:0] SrSmId = 8'd9;
  localparam logic [7:0] SrNSmId = 8'd10;
  localparam logic [7:0] SrGridIdLo = 8'd11;
  localparam logic [7:0] SrLaneMaskEq = 8'd12;
  localparam logic [7:0] SrLaneMaskLt = 8'd13;
  localparam logic [7:0] SrLaneMaskLe = 8'd14;
  localparam logic [7:0] SrLaneMaskGt = 8'd15;
  localparam logic [7:0] SrLaneMaskGe = 8'd16;
  localparam logic [7:0] SrClockLo = 8'd17;  // SM cycles
  localparam logic [7:0] SrClockHi = 8'd18;
  localparam logic [7:0] SrGlobalTimerLo = 8'd19;  // ns
  localparam logic [7:0] SrGlobalTimerHi = 8'd20;
  localparam logic [7:0] SrBarResult = 8'd21;  // result of the warp's last BAR.RED
  localparam logic [7:0] SrGridIdHi = 8'd22;  // 0
  localparam logic [2:0] MemLoad = 3'd0;  // a 128-byte line's sectors by mask
  localparam logic [2:0] MemStore = 3'd1;  // one sector with byte mask
  localparam logic [2:0] MemIfetch = 3'd2;  // instruction line
  localparam logic [2:0] MemCfetch = 3'd3;  // constant line
  localparam logic [2:0] MemLoadCg = 3'd4;  // load that must be served at L2
  localparam logic [2:0] MemAtom = 3'd5;  // atomic on elements of one sector, answered with the sector as it was
  localparam logic [2:0] MemRed = 3'd6;  // atomic on elements of one sector, acknowledged as a store
  localparam logic [3:0] FaultNone = 4'd0;
  localparam logic [3:0] FaultIllegalInsn = 4'd1;  // undefined opcode, register beyond the allocation, undefined modifier
  localparam logic [3:0] FaultMisaligned = 4'd2;
  localparam logic [3:0] FaultAddrSpace = 4'd3;  // shared address outside the block's range
  localparam logic [3:0] FaultBadPc = 4'd4;
  localparam logic [3:0] FaultStackError = 4'd5;  // SIMT stack overflow, BSYNC without its BSSY, LDL or STL beyond the frame
  localparam logic [3:0] FaultTrap = 4'd6;  // TRAP, bad barrier id or count
  localparam logic [3:0] FaultAssert = 4'd7;  // TRAP 1
  localparam logic [3:0] FaultIllegalAddr = 4'd8;  // reported by memory; imprecise
  localparam logic [3:0] FaultHang = 4'd9;  // no progress is possible

endpackage
