// SPDX-License-Identifier: Apache-2.0
//
// Imports of the probes; cosim/sm_dut_vl.cc implements them, cosim/probe.h gives the meaning of every argument.
// wg_probe_level(): 0 off, 1 retire, 2 units, 3 units and event trace; constant during a run, read once at time 0 by each probe.
package sm_probe_pkg;
  import "DPI-C" function int wg_probe_level();
  import "DPI-C" function void wg_probe_init(input int sub, input int slot, input int block, input int warp,
      input int mask, input int reg_base, input int regs, input int shared_base, input int shared_size,
      input int grid_id, input int ctaid_x, input int ctaid_y, input int ctaid_z);
  import "DPI-C" function void wg_probe_issue(input int sub, input int slot, input int pc, input int mask,
      input int exec);
  import "DPI-C" function void wg_probe_wb(input int sub, input int slot, input int rd, input int wide,
      input int variable, input int mask, input bit [1023:0] lo, input bit [1023:0] hi);
  import "DPI-C" function void wg_probe_pred(input int sub, input int slot, input int pd, input int mask,
      input int bits);
  import "DPI-C" function void wg_probe_lsu(input int sub, input int slot, input int tag, input int pc);
  import "DPI-C" function void wg_probe_shm(input int tag, input int lanes);
  import "DPI-C" function void wg_probe_l1(input int tag, input int store, input longint line, input int lanes,
      input int sectors, input int hit, input int req_id);
  import "DPI-C" function void wg_probe_fill(input int req_id, input int sector, input int installed);
  import "DPI-C" function void wg_probe_inval();
  import "DPI-C" function void wg_probe_full();
  import "DPI-C" function void wg_probe_lsu_done(input int tag);
  import "DPI-C" function void wg_probe_free(input int block);
  import "DPI-C" function void wg_probe_stack(input int sub, input int slot, input int op, input int breg,
      input int pc, input int target, input int mask, input int exec, input int next_pc, input int next_mask,
      input int depth, input int fault);
  import "DPI-C" function void wg_probe_pick(input int sub, input int policy, input int issued, input int warp,
      input int valid, input int eligible, input int withheld, input bit [127:0] event_bits);
  import "DPI-C" function void wg_probe_bar(input int kind, input int block, input int warp, input int id,
      input int arrive_only, input int has_count, input int count, input int red, input int value, input int some_false,
      input int warps);
  import "DPI-C" function void wg_probe_fetch(input int sub, input int slot, input int pc, input int two);
  import "DPI-C" function void wg_probe_flush(input int sub, input int slot);
  import "DPI-C" function void wg_probe_exec(input int sub, input int slot, input int pc);
  import "DPI-C" function void wg_probe_why(input int sub, input longint why);
endpackage
