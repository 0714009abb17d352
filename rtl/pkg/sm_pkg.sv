// SPDX-License-Identifier: Apache-2.0
//
// sm_pkg: structures that cross module borders inside the SM. Widths are those of the largest machine (4 sub-cores,
// 16 warp slots each, 32 block slots); smaller shapes leave upper bits zero. Rows are flat vectors, lane 0 lowest.
// Numbers come from sm_cfg_pkg (generated from isa/cfg.def), opcodes from sm_isa_pkg (generated from isa/isa.def).
package sm_pkg;

  // Launch-time configuration, constant while blocks are resident. Same fields and meaning as wg_sm_cfg_t.
  typedef struct packed {
    logic [4:0]  warp_slots;       // per sub-core, 1..16
    logic [5:0]  block_slots;      // 1..32
    logic [10:0] reg_rows;         // register rows (32 lanes x 32 bits) usable per sub-core
    logic [18:0] shared_bytes;     // usable by blocks; rows above belong to the L1
    logic [11:0] shared_unit;      // allocation granularity in bytes, power of two
    logic [11:0] shared_reserve;   // added to each block before rounding
    logic        first_rotate;     // first sub-core: 0 = always 0, 1 = rotating
    logic [3:0]  policy;
    logic [127:0] knob;            // four 32-bit knobs, knob 0 lowest
    logic [6:0]  progress;         // steps of 64 cycles that an eligible warp may wait, 1..64; 0: no such rule
    logic        diverge_its;      // 0 = SIMT stack, 1 = independent thread scheduling
    logic [1:0]  split_order;
    logic        dep_control_bits; // 0 = scoreboard
    logic        operand_in_order;
    logic [15:0] issue_interval;   // 4 x 4 bits: int, fp32, fp64, sfu; extra cycles between dispatches
    logic [15:0] extra_latency;    // 4 x 4 bits: the same pipes; extra cycles until a dependent may issue
    logic [3:0]  half_extra;       // the same for the half pipe
    logic [3:0]  mem_interval;     // cycles beyond one between memory instructions of a sub-core
    logic [3:0]  mem_switch;       // so many fewer behind a load or shuffle of another warp
    logic [3:0]  cas_extra;        // cycles by which a shared CAS leaves its sub-core later
    logic [3:0]  wf_interval;      // cycles beyond one between the wavefronts of a shared access, while no other sub-core waits
    logic [3:0]  line_interval;    // cycles beyond one between the lines of a global access
    logic [4:0]  shared_pad;       // cycles by which shared loads and shuffles are held back
    logic [4:0]  global_pad;       // and global loads
    logic [3:0]  bar_interval;     // cycles beyond one between arrivals at block barriers
    logic [4:0]  bar_extra;        // cycles from a barrier's completion to its release, beyond one
    logic [4:0]  bar_count_extra;  // so many more if the last arrival has its count from a register
    logic [4:0]  bar_red_extra;    // so many more for BAR.RED
    logic [1:0]  bar_red_interval; // and for each of its warps beyond eight
    logic [3:0]  mma_extra;        // cycles by which a matrix instruction begins later
    logic [3:0]  mma_deep_extra;   // so many more with both halves of K
    logic [3:0]  fence_extra;      // cycles by which a MEMBAR or CCTL comes to the fence unit later
    logic [3:0]  fence_interval;   // cycles beyond one between releases of the fence unit
    logic [11:0] l1_sets;          // power of two
    logic [3:0]  l1_ways;
    logic [6:0]  mshrs;            // 1..64
    logic [15:0] smid;
    logic [15:0] nsmid;
  } cfg_t;

  // One thread block to start (from the GigaThread engine).
  typedef struct packed {
    logic [31:0] grid_id;
    logic [31:0] ctaid_x, ctaid_y, ctaid_z;
    logic [10:0] ntid_x, ntid_y;   // 1..1024
    logic [6:0]  ntid_z;           // 1..64
    logic [31:0] entry_pc;
    logic [8:0]  regs;             // per thread, multiple of 8, 8..256
    logic [18:0] shared_bytes;     // before reserve and rounding
    logic [4:0]  barriers;
    logic [47:0] code_base;
    logic [47:0] const_base0, const_base2, const_base3;
    logic [16:0] const_size0, const_size2, const_size3;
    logic [47:0] local_arena;
    logic [17:0] local_bytes;
    logic        inval_l1, inval_const, inval_insn;
  } launch_t;

  // One warp to initialise in its sub-core and in sm_mem (one a cycle, from sm_cta). Broadcast; `sub` selects.
  typedef struct packed {
    logic [1:0]  sub;              // sub-core
    logic [3:0]  slot;             // warp slot in the sub-core
    logic [4:0]  block;            // block slot
    logic [4:0]  warp;             // warp in block
    logic [5:0]  warps;            // warps of the block, 1..32
    logic [31:0] mask;             // existing threads (tail warp: fewer than 32)
    logic [10:0] reg_base;         // first register row
    logic [8:0]  regs;             // rows
    logic [18:0] shared_base;      // byte address in the shared array
    logic [18:0] shared_size;      // bytes the block may touch
    logic [9:0]  tid_x, tid_y;     // of lane 0
    logic [5:0]  tid_z;
    launch_t     cta;              // the block's launch message
  } init_t;

  // A decoded instruction as it travels with its operands.
  typedef struct packed {
    logic [7:0]  op;
    logic [15:0] mods;
    logic [3:0]  form;
    logic [7:0]  rd;
    logic [2:0]  pd0, pd1;
    logic [31:0] imm;              // raw word bits [63:32]
    logic [27:0] pc;               // byte PC in the code window
  } uop_t;

  // A warp's arrival at a block barrier.
  typedef struct packed {
    logic [31:0] lanes;            // that arrive, for the report of a fault
    logic [4:0]  block;
    logic [4:0]  warp;             // warp in block
    logic [3:0]  id;
    logic        arrive_only;      // BAR.ARV
    logic        has_count;
    logic [11:0] count;            // threads
    logic [1:0]  red;              // BAR.RED: 1 popc, 2 and, 3 or; BAR: 0
    logic [5:0]  red_sum;          // lanes whose predicate holds
    logic        red_false;        // a lane's does not
    logic        count_reg;        // the count comes from a register
    logic [27:0] pc;
  } bar_req_t;
  localparam int unsigned BarReqW = 98;  // bits of bar_req_t

  // First fault of a unit.
  typedef struct packed {
    logic [3:0]  code;             // sm_cfg_pkg::Fault*
    logic [1:0]  sub;
    logic [3:0]  slot;
    logic [31:0] lanes;
    logic [27:0] pc;
    logic [47:0] addr;
  } fault_t;
  localparam int unsigned FaultW = 118;  // bits of fault_t
  localparam int unsigned UopW = 102;    // bits of uop_t

endpackage
