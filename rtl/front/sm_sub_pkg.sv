// SPDX-License-Identifier: Apache-2.0
//
// sm_sub_pkg: structures that cross module borders inside a sub-core.
package sm_sub_pkg;

  // Class of an instruction: which resource it needs at issue (one-hot but for ClsCtl; none for NOP and TRAP).
  localparam int unsigned ClsInt = 0;
  localparam int unsigned ClsFp = 1;
  localparam int unsigned ClsSfu = 2;
  localparam int unsigned ClsLsu = 3;
  localparam int unsigned ClsSreg = 4;
  localparam int unsigned ClsBar = 5;
  localparam int unsigned ClsCtl = 6;   // the divergence unit; with ClsBar: over a collector, for its registers; with ClsInt:
                                        // CALL, BMOV.RD, which also write a register through the int pipe
  localparam int unsigned ClsF64 = 7;
  localparam int unsigned ClsXl = 8;    // vote, match, reduce
  localparam int unsigned ClsMma = 9;   // matrix unit: its a and b rows
  localparam int unsigned ClsMmaC = 10; // its c rows, in a second collector
  localparam int unsigned ClsW = 11;

  // Operand rows of a collector.
  localparam int unsigned RowA0 = 0;
  localparam int unsigned RowA1 = 1;
  localparam int unsigned RowB = 2;     // b, or store data rc+3 (no instruction has both)
  localparam int unsigned RowC0 = 3;
  localparam int unsigned RowC1 = 4;
  localparam int unsigned RowC2 = 5;    // rc+2, or the upper word of a 64-bit b (no instruction has both)
  localparam int unsigned Rows = 6;

  // A decoded instruction in an instruction buffer. The masks name registers inside the aligned group of four that
  // holds the field's register; a field that is RZ or unused has mask 0.
  typedef struct packed {
    logic [7:0]  op;
    logic [15:0] mods;
    logic [3:0]  form;
    logic [7:0]  rd, ra, rb, rc;
    logic [2:0]  pd0, pd1;
    logic [2:0]  ps0, ps1;
    logic        ps0_not, ps1_not;
    logic [2:0]  guard;
    logic        guard_not;
    logic        bad;             // undefined: faults at issue
    logic [ClsW-1:0] cls;
    logic [3:0]  ma, mb, mc, md;  // registers read as a, b, c or store data; written
    logic        a64, a128;       // ra starts a pair (or quad), a quad
    logic        b64;             // rb starts a pair
    logic [2:0]  nc;              // registers from rc upward: 0, 1, 2 or 4
    logic        wide;            // writes rd and rd+1 in one beat (fixed-latency pipes)
    logic        wp0, wp1;        // writes pd0, pd1 (not PT)
    logic [7:0]  pm;              // predicates read or written, guard included; bit 7 (PT) is 0
    logic        has_wb;          // memory pipe: ends with a write-back beat
    logic        is_global;
    logic        is_smem;
    logic        is_exit;
    logic        is_const;        // b comes from a constant bank
    logic [3:0]  stall;           // control field (isa/README.md): cycles to the warp's next issue
    logic        yields;          // hint: another warp first
    logic [2:0]  wr_ctr, rd_ctr;  // counters it raises; 6, 7: none
    logic [5:0]  wait_mask;       // counters that must be 0
  } insn_t;

  localparam int unsigned InsnW = 145;    // bits of insn_t

  // One instruction on its way into a collector.
  typedef struct packed {
    logic [ClsW-1:0] cls;
    logic [3:0]  slot;
    logic [7:0]  op;              // op .. pc: the fields of sm_pkg::uop_t
    logic [15:0] mods;
    logic [3:0]  form;
    logic [7:0]  rd;
    logic [2:0]  pd0, pd1;
    logic [31:0] imm;
    logic [27:0] pc;
    logic [31:0] mask;            // executing lanes
    logic [31:0] p0, p1;          // predicate sources after their not
    logic        wr;              // writes rd (not RZ)
    logic        wide;
    logic        half;            // class Fp: on the half pipe
    logic        b64;             // row C2 is rb+1
    logic        wp0, wp1;
    logic [5:0]  need;            // operand rows to be read, by Row*
    logic [10:0] base;            // the warp's first register row
    logic [7:0]  ra, rb, rc;
    logic [2:0]  wr_ctr, rd_ctr;  // counters lowered when written, when it leaves its collector; 6, 7: none
  } alloc_t;

  localparam int unsigned AllocW = 266;   // bits of alloc_t

  // A beat of a fixed-latency pipe, as it travels beside the pipe.
  typedef struct packed {
    logic        wr;
    logic        wide;
    logic        half;            // fp pipe: the result is the half pipe's
    logic        last;            // last beat: the row is complete
    logic [3:0]  beat;
    logic [3:0]  slot;
    logic [7:0]  rd;
    logic [10:0] row;
    logic [31:0] mask;
  } ftag_t;

  // What a warp scheduler sees beyond valid, eligible and age (rtl/README.md "Warp schedulers"). Functions of flops
  // only; an event is that of the cycle before. Masks by slot. 128 bits; C: wg_sched_unpack of model/twin/sched.h.
  typedef struct packed {
    logic [10:0] unused;
    logic [7:0]  br_insts;        // instructions that the branch adds to the warp's way, at most 255
    logic [5:0]  br_of;           // running lanes, 1..32
    logic [5:0]  br_lanes;        // of them taken; 0 < br_lanes < br_of: a split
    logic [3:0]  br_slot;
    logic        br_valid;        // a BRA issued
    logic        lsu_full;
    logic        mshr_full;
    logic [3:0]  vta_slot;
    logic        vta_valid;       // a load missed a line that its own warp lost from the L1 before
    logic [3:0]  miss_slot;
    logic        miss_valid;      // a load of the slot sent a request for a line
    logic [15:0] released;        // block barrier passed
    logic [15:0] launched;        // first cycle of a bound slot
    logic [15:0] mem;             // next instruction is one of the memory pipe
    logic [15:0] long_wait;       // next instruction waits for a global load, or the warp in a MEMBAR
    logic [15:0] parked;          // at a block barrier, asleep, or no lane left or able to run
  } sched_ev_t;

endpackage
