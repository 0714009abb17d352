// SPDX-License-Identifier: Apache-2.0
//
// sm_its: how mode `its` resolves a control instruction (rtl/README.md "Independent thread scheduling"): the pcs of the lanes that
// do not run, convergence barriers, WARPSYNC, gathering for block barriers, choice of the next split. Part of sm_diverge,
// which keeps running pc, mask and the lanes that are gone.
//
// While en_i is set, op_i of slot_i is resolved; done_o in the last cycle. One cycle (`Op`; BSYNC: one for every mask that its
// lanes bring), after an EXIT or BREAK one for every group, and mask there, for which lanes wait (`Scan`), one if a split is
// chosen (`Choose`). mask_o and gone_o are to be kept in every cycle.
// op_i may also be OpSwitch, OpRelease (block barrier), OpWake (sleep over). jump_i: BRA, CALL, or RET and BRX with one target
// for all of the running split; else RET and BRX take each lane's target from row_i. BMOV.WR takes each lane's mask from it. bar_i, preds_i: of BAR, BAR.RED.
// redirect_o: the warp goes on at next_pc_o instead of behind its instruction. idle_o: lanes are left, but none can run.
// breg_*: mask of a convergence barrier for BMOV.RD, of the lowest lane of breg_run_i, while en_i is low.
// step_i: an instruction of step_slot_i issues; plain_i: it is not resolved here; then switch_o says that OpSwitch must follow.
// bar_valid_o, bar_o: the warp arrives; while it is set, en_i must be low before the next operation starts. bar_wait_o: it waits.
// Combinational from flops and inputs but for bar_*. Reset: no arrival. A slot is cleared by init. Twin: model/twin/diverge.
module sm_its #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic kill_i,
    input  logic [1:0]  order_i,            // 0 h200, 1 alternate, 2 random
    input  logic [15:0] seed_i,
    input  logic init_valid_i,
    input  logic [SlotBits-1:0] init_slot_i,

    input  logic step_i,
    input  logic plain_i,
    input  logic [SlotBits-1:0] step_slot_i,
    output logic switch_o,

    input  logic en_i,
    input  logic [SlotBits-1:0] slot_i,
    input  logic [7:0]  op_i,
    input  logic        jump_i,
    input  logic [3:0]  breg_i,
    input  logic [27:0] pc_i,
    input  logic [27:0] target_i,
    input  logic [31:0] value_i,
    input  logic [1023:0] row_i,
    input  sm_pkg::bar_req_t bar_i,
    input  logic [31:0] preds_i,
    input  logic [31:0] exec_i,
    input  logic [31:0] mask_i,
    input  logic [31:0] gone_i,
    output logic        done_o,
    output logic        redirect_o,
    output logic        idle_o,
    output logic [27:0] next_pc_o,
    output logic [31:0] mask_o,
    output logic [31:0] gone_o,

    input  logic breg_re_i,
    input  logic [SlotBits-1:0] breg_slot_i,
    input  logic [3:0]  breg_idx_i,
    input  logic [31:0] breg_run_i,
    output logic [31:0] breg_mask_o,

    output logic bar_valid_o,
    input  logic bar_ready_i,
    output sm_pkg::bar_req_t bar_o,
    output logic bar_wait_o                 // slot_i waits for a release
);
  localparam logic [7:0] OpSwitch = 8'hf0;
  localparam logic [7:0] OpRelease = 8'hf1;
  localparam logic [7:0] OpWake = 8'hf2;
  localparam int unsigned Groups = 17;      // B0..B15, WARPSYNC

  localparam logic [1:0] Op = 2'd0, Scan = 2'd1, Choose = 2'd2;
  logic [1:0] phase_q, phase_d;

  // ---- state of the slots ----
  logic [31:0]       ready_q [WarpSlots], asleep_q [WarpSlots], gather_q [WarpSlots];
  logic [Groups-1:0] open_q [WarpSlots];    // groups where lanes wait
  logic [Groups-1:0] bset_q [WarpSlots];    // groups of which masks are noted
  logic [4:0]        last_q [WarpSlots];
  logic [10:0]       run_q [WarpSlots];
  logic [15:0]       random_q [WarpSlots];
  logic [WarpSlots-1:0] sent_q;             // gathered and arrived
  logic [31:0]       pool_q;
  logic [Groups-1:0] scan_q;

  // ---- issue: counters, switches ----
  logic [10:0] run_step;
  logic [15:0] random_step;
  logic        step_ready;
  always_comb begin
    run_step = '0;
    random_step = '0;
    step_ready = 1'b0;
    if (step_i) begin
      step_ready = ready_q[step_slot_i] != '0;
      run_step = run_q[step_slot_i] + {10'd0, step_ready};
      random_step = {1'b0, random_q[step_slot_i][15:1]} ^ (random_q[step_slot_i][0] ? 16'hb400 : 16'd0);
    end
    switch_o = step_i && plain_i && step_ready &&
               (order_i == 2'd1 || (order_i == 2'd2 && random_step[1:0] == 2'd0) || run_step[10]);
  end

  // ---- group looked at; convergence barriers: a row of each lane's mask ----
  logic [4:0]          group, scan_low;
  logic [31:0]         row_here, grp_mask, grp_here, alike, todo, todo_q;
  logic                grp_we, is_breg, is_sync, is_bar, more_q;
  logic [31:0]         grp_wdata;
  logic                breg_we;
  logic [31:0]         breg_lanes;
  logic [1023:0]       breg_wdata, breg_row, brow;
  logic [SlotBits+4:0] breg_raddr;
  logic [4:0]          first, breg_lead;
  assign is_breg = op_i == sm_isa_pkg::OpBSSY || op_i == sm_isa_pkg::OpBSYNC || op_i == sm_isa_pkg::OpBREAK ||
                   op_i == sm_isa_pkg::OpBMOVB;
  assign is_sync = op_i == sm_isa_pkg::OpWARPSYNC;
  assign is_bar = op_i == sm_isa_pkg::OpBAR || op_i == sm_isa_pkg::OpBARRED;
  always_comb begin
    scan_low = '0;
    if (en_i && phase_q == Scan) begin
      for (int unsigned g = 0; g < Groups; g++) if (scan_q[Groups-1-g]) scan_low = 5'(Groups - 1 - g);
    end
    group = phase_q == Scan ? scan_low : is_sync ? 5'd16 : {1'b0, breg_i};
  end
  sm_ram_1r1w #(.Width(32), .Depth(WarpSlots * 32)) u_groups (
      .clk_i, .we_i(grp_we), .waddr_i({slot_i, group}), .wdata_i(grp_wdata),
      .re_i(en_i && (is_breg || is_sync || phase_q == Scan)), .raddr_i({slot_i, group}), .rdata_o(row_here)
  );
  assign breg_raddr = en_i ? {slot_i, group} : {breg_slot_i, 1'b0, breg_idx_i};
  sm_ram_row #(.Lanes(32), .LaneBits(32), .Depth(WarpSlots * 32)) u_bregs (
      .clk_i, .we_i(breg_we), .waddr_i({slot_i, group}), .wmask_i(breg_lanes), .wdata_i(breg_wdata),
      .re_i(breg_re_i || (en_i && (is_breg || is_sync || phase_q == Scan))), .raddr_i(breg_raddr), .rdata_o(breg_row)
  );
  always_comb begin   // BMOV.RD
    breg_lead = '0;
    breg_mask_o = '0;
    if (breg_re_i && !en_i && bset_q[breg_slot_i][{1'b0, breg_idx_i}]) begin
      for (int unsigned l = 0; l < 32; l++) if (breg_run_i[31-l]) breg_lead = 5'(31 - l);
      breg_mask_o = breg_row[32*breg_lead +: 32];
    end
  end
  // lanes that come or wait, the mask of the first of them, and who has the same
  always_comb begin
    brow = '0;
    grp_here = '0;
    grp_mask = '0;
    todo = '0;
    first = '0;
    alike = '0;
    if (en_i && (is_breg || is_sync || phase_q == Scan)) begin
      if (bset_q[slot_i][group]) brow = breg_row;
      if (open_q[slot_i][group]) grp_here = row_here;
      todo = phase_q == Scan ? (more_q ? todo_q : grp_here) : is_sync ? exec_i : mask_i;
      for (int unsigned l = 0; l < 32; l++) if (todo[31-l]) first = 5'(31 - l);
      grp_mask = is_sync && phase_q == Op ? value_i : brow[32*first +: 32];
      for (int unsigned l = 0; l < 32; l++) begin
        alike[l] = brow[32*l +: 32] == grp_mask || (is_sync && phase_q == Op && exec_i[l]);
      end
    end
  end

  // ---- gathering for a block barrier ----
  localparam int unsigned GatherW = sm_pkg::BarReqW + 32;
  logic               gat_we, other, whole;
  logic [GatherW-1:0] gat_rdata, gat_wdata;
  sm_pkg::bar_req_t   held, brought;
  logic [31:0]        held_preds, preds, gathered;
  sm_ram_1r1w #(.Width(GatherW), .Depth(WarpSlots)) u_gather (
      .clk_i, .we_i(gat_we), .waddr_i(slot_i), .wdata_i(gat_wdata),
      .re_i(en_i && (is_bar || op_i == sm_isa_pkg::OpEXIT)), .raddr_i(slot_i), .rdata_o(gat_rdata)
  );
  assign held = gat_rdata[GatherW-1:32];
  assign held_preds = gat_rdata[31:0];

  // ---- pcs of the lanes that do not run ----
  logic           pcs_we;
  logic [31:0]    out_x, out_run;           // suspended: executing lanes, and the rest of the split
  logic [27:0]    out_pc;
  logic           out_row;                  // each executing lane goes to its own target
  logic [895:0]   pcs_wdata, pcs;
  sm_ram_row #(.Lanes(32), .LaneBits(28), .Depth(WarpSlots)) u_pcs (
      .clk_i, .we_i(pcs_we), .waddr_i(slot_i), .wmask_i(out_x | out_run), .wdata_i(pcs_wdata),
      .re_i(en_i && phase_q == Choose), .raddr_i(slot_i), .rdata_o(pcs)
  );
  always_comb begin
    pcs_wdata = '0;
    pcs_we = (out_x | out_run) != '0;
    if (pcs_we) begin
      for (int unsigned l = 0; l < 32; l++) begin
        pcs_wdata[28*l +: 28] = out_run[l] ? next_pc_o : out_row ? row_i[32*l +: 28] : out_pc;
      end
    end
  end

  // ---- choice ----
  logic [31:0] pool, above, same;
  logic [4:0]  from, lead;
  logic [27:0] lead_pc;
  always_comb begin
    pool = '0;
    above = '0;
    same = '0;
    from = '0;
    lead = '0;
    lead_pc = '0;
    if (en_i && phase_q == Choose) begin
      pool = (pool_q & ready_q[slot_i]) != '0 ? pool_q & ready_q[slot_i] : ready_q[slot_i];
      from = order_i == 2'd2 ? random_q[slot_i][6:2] : last_q[slot_i] + 5'd1;
      above = pool & (32'hffffffff << from);
      if (above == '0) above = pool;
      for (int unsigned l = 0; l < 32; l++) if (above[31-l]) lead = 5'(31 - l);
      lead_pc = pcs[28*lead +: 28];
      for (int unsigned l = 0; l < 32; l++) same[l] = ready_q[slot_i][l] && pcs[28*l +: 28] == lead_pc;
    end
  end

  // ---- resolve ----
  logic [31:0]       ready_d, asleep_d, gather_d, pool_d, lanes, here, after, todo_d, go;
  logic [Groups-1:0] open_d, scan_d;
  logic [Groups-1:0] bset_d;
  logic              arrive, all, settle, yield, rule, sent_d, more_d;
  always_comb begin
    done_o = 1'b0;
    redirect_o = 1'b0;
    idle_o = 1'b0;
    next_pc_o = pc_i + 28'd16;
    mask_o = '0;
    gone_o = '0;
    phase_d = Op;
    {ready_d, asleep_d, gather_d, pool_d, lanes, here, after} = '0;
    {open_d, scan_d, bset_d} = '0;
    {arrive, all, settle, yield, rule, sent_d, other, whole} = '0;
    {grp_we, gat_we, bar_wait_o, out_row, breg_we, more_d} = '0;
    {out_x, out_run, out_pc, preds, gathered, breg_lanes, todo_d, go} = '0;
    breg_wdata = '0;
    grp_wdata = '0;
    gat_wdata = '0;
    brought = '0;
    if (en_i) begin
      mask_o = mask_i;
      gone_o = gone_i;
      ready_d = ready_q[slot_i];
      asleep_d = asleep_q[slot_i];
      gather_d = gather_q[slot_i];
      open_d = open_q[slot_i];
      bset_d = bset_q[slot_i];
      sent_d = sent_q[slot_i];
      pool_d = pool_q;
      scan_d = scan_q;
      rule = order_i == 2'd1 || (order_i == 2'd2 && random_q[slot_i][1:0] == 2'd0) || run_q[slot_i][10];
      case (phase_q)
        Choose: begin
          done_o = 1'b1;
          redirect_o = 1'b1;
          next_pc_o = lead_pc;
          mask_o = same;
          ready_d = ready_d & ~same;
        end
        Scan: begin
          go = todo & alike;
          todo_d = todo & ~alike;
          if ((grp_mask & ~gone_i & ~go) == '0) begin
            ready_d = ready_d | go;
            here = grp_here & ~go;
            grp_we = 1'b1;
            grp_wdata = here;
            open_d[group] = here != '0;
          end
          more_d = todo_d != '0;
          if (!more_d) scan_d[group] = 1'b0;
          settle = scan_d == '0;
          phase_d = Scan;
        end
        default: begin
          settle = 1'b1;
          pool_d = '0;
          case (op_i)
            sm_isa_pkg::OpBSSY, sm_isa_pkg::OpBMOVB: begin
              lanes = op_i == sm_isa_pkg::OpBSSY ? mask_i : exec_i;
              breg_we = 1'b1;
              breg_lanes = bset_d[group] ? lanes : '1;   // the first time: zeros in the others
              for (int unsigned l = 0; l < 32; l++) begin
                if (lanes[l]) breg_wdata[32*l +: 32] = op_i == sm_isa_pkg::OpBSSY ? mask_i : row_i[32*l +: 32];
              end
              bset_d[group] = 1'b1;
            end
            sm_isa_pkg::OpBREAK: begin
              breg_we = 1'b1;
              breg_lanes = '1;
              for (int unsigned l = 0; l < 32; l++) begin   // who leaves waits for nobody at the BSYNC
                breg_wdata[32*l +: 32] = exec_i[l] ? '0 : brow[32*l +: 32] & ~exec_i;
              end
              bset_d[group] = 1'b1;
              scan_d = '0;
              if (open_d[group]) begin
                scan_d[group] = 1'b1;
                settle = 1'b0;
                phase_d = Scan;
              end
            end
            sm_isa_pkg::OpBSYNC, sm_isa_pkg::OpWARPSYNC: begin
              if (more_q) pool_d = pool_q;
              lanes = todo & alike;
              here = grp_here | lanes;
              go = here & alike;
              all = (grp_mask & ~gone_i & ~go) == '0;
              if (is_sync) begin
                breg_we = 1'b1;
                breg_lanes = bset_d[group] ? exec_i : '1;
                for (int unsigned l = 0; l < 32; l++) if (exec_i[l]) breg_wdata[32*l +: 32] = value_i;
                bset_d[group] = 1'b1;
              end
              if (!(all && go == mask_i)) begin
                out_x = lanes;
                out_pc = next_pc_o;
                mask_o = mask_i & ~lanes;
                if (all) begin
                  ready_d = ready_d | go;
                  pool_d = pool_d | go;
                  here = here & ~go;
                end
                open_d[group] = here != '0;
                grp_we = 1'b1;
                grp_wdata = here;
                if ((todo & ~alike) != '0) begin   // lanes with other masks
                  more_d = 1'b1;
                  settle = 1'b0;
                end
              end
            end
            sm_isa_pkg::OpEXIT: begin
              gone_o = gone_i | exec_i;
              mask_o = mask_i & ~exec_i;
              scan_d = open_d;
              if (open_d != '0) begin
                settle = 1'b0;
                phase_d = Scan;
              end
              gathered = gather_d;
              brought = held;
              preds = held_preds;
              arrive = gather_d != '0 && !sent_d && (gather_d | gone_o) == '1;
            end
            sm_isa_pkg::OpBAR, sm_isa_pkg::OpBARRED: begin
              whole = exec_i == mask_i && (exec_i | gone_i) == '1;
              brought = bar_i;
              preds = preds_i & exec_i;
              gathered = exec_i;
              if (gather_d != '0) begin
                other = held.id != bar_i.id || held.arrive_only != bar_i.arrive_only ||
                        held.has_count != bar_i.has_count || (bar_i.has_count && held.count != bar_i.count) ||
                        held.red != bar_i.red;
                preds = preds | held_preds;
                gathered = gathered | gather_d;
              end
              if (!whole) begin
                out_x = exec_i;
                out_pc = next_pc_o;
                mask_o = mask_i & ~exec_i;
                if (!other) begin
                  gather_d = gathered;
                  gat_we = 1'b1;
                  gat_wdata = {bar_i, preds};
                end
              end
              pool_d = gather_d;
              arrive = !other && (gathered | gone_i) == '1;
            end
            sm_isa_pkg::OpNANOSLEEP: begin
              out_x = exec_i;
              out_pc = next_pc_o;
              mask_o = mask_i & ~exec_i;
              asleep_d = asleep_d | exec_i;
            end
            sm_isa_pkg::OpYIELD: yield = 1'b1;
            OpSwitch: begin
              next_pc_o = pc_i;
              yield = 1'b1;
            end
            OpRelease: begin
              next_pc_o = pc_i;
              ready_d = ready_d | gather_d;
              gather_d = '0;
              sent_d = 1'b0;
            end
            OpWake: begin
              next_pc_o = pc_i;
              ready_d = ready_d | asleep_d;
              asleep_d = '0;
            end
            default: begin
              if (jump_i && exec_i == mask_i) begin
                next_pc_o = target_i;
                redirect_o = 1'b1;
              end else if (jump_i || op_i == sm_isa_pkg::OpRET || op_i == sm_isa_pkg::OpBRX) begin
                out_x = exec_i;
                out_pc = target_i;
                out_row = op_i == sm_isa_pkg::OpRET || op_i == sm_isa_pkg::OpBRX;
                mask_o = mask_i & ~exec_i;
                ready_d = ready_d | exec_i;
                pool_d = out_row ? exec_i : '0;
                rule = 1'b0;   // a new split: its fall-through side goes first
              end
            end
          endcase
        end
      endcase
      if (arrive) begin   // the warp arrives at the block barrier
        if (brought.arrive_only) begin
          ready_d = ready_d | gather_d;
          gather_d = '0;
        end else begin
          bar_wait_o = 1'b1;
          sent_d = !whole;
        end
      end
      if (settle) begin   // what runs next
        after = mask_o;
        if (after != '0 && ready_d != '0 && (yield || (rule && op_i != OpRelease && op_i != OpWake))) begin
          out_run = after;
          pool_d = ready_d;
          ready_d = ready_d | after;
          mask_o = '0;
          redirect_o = 1'b0;
          phase_d = Choose;
        end else if (after == '0 && ready_d != '0) begin
          phase_d = Choose;
        end else begin
          done_o = 1'b1;
          idle_o = after == '0 && gone_o != '1;
          phase_d = Op;
        end
      end
    end
  end

  // ---- arrival ----
  logic [5:0] held_true;
  always_comb begin
    held_true = '0;
    if (arrive && brought.red != 2'd0) for (int unsigned l = 0; l < 32; l++) held_true = held_true + 6'(preds[l]);
  end
  always_ff @(posedge clk_i) begin
    if (bar_ready_i || kill_i) bar_valid_o <= 1'b0;
    if (arrive) begin
      bar_valid_o <= 1'b1;
      bar_o <= brought;
      bar_o.lanes <= gathered;
      bar_o.red_sum <= held_true;
      bar_o.red_false <= (gathered & ~preds) != '0;
    end
    if (!rst_ni) bar_valid_o <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (step_i) begin
      run_q[step_slot_i] <= run_step;
      random_q[step_slot_i] <= random_step;
    end
    if (en_i) begin
      phase_q <= phase_d;
      pool_q <= pool_d;
      scan_q <= scan_d;
      todo_q <= todo_d;
      more_q <= more_d;
      ready_q[slot_i] <= ready_d;
      asleep_q[slot_i] <= asleep_d;
      gather_q[slot_i] <= gather_d;
      open_q[slot_i] <= open_d;
      bset_q[slot_i] <= bset_d;
      sent_q[slot_i] <= sent_d;
      if (phase_q == Choose) begin
        last_q[slot_i] <= lead;
        run_q[slot_i] <= '0;
      end
    end
    if (init_valid_i) begin
      ready_q[init_slot_i] <= '0;
      asleep_q[init_slot_i] <= '0;
      gather_q[init_slot_i] <= '0;
      open_q[init_slot_i] <= '0;
      bset_q[init_slot_i] <= '0;
      sent_q[init_slot_i] <= 1'b0;
      last_q[init_slot_i] <= '0;
      run_q[init_slot_i] <= '0;
      random_q[init_slot_i] <= seed_i != '0 ? seed_i : 16'd1;
    end
    if (!rst_ni) begin
      phase_q <= Op;
      more_q <= 1'b0;
    end
  end
endmodule
