// SPDX-License-Identifier: Apache-2.0
//
// sm_lsu: takes memory and shuffle instructions of the sub-cores round robin, one a cycle, gives each a tag, computes
// and checks its addresses, and hands it to the shared front (sm_smem) or the global front (sm_coalescer). Latency:
// taken in cycle a, addresses in a+1, in the front's entry in a+2. One waiting place for each front, so that a
// blocked global instruction does not hold up shared ones. Order per front is the order of acceptance. A faulting
// instruction has no effect: its tag is freed (drop_*) and the first fault is kept. With kill_i instructions are
// taken and dropped. MEMBAR and CCTL take no tag: they go on as fence_*. A generic instruction waits in the global place;
// lanes on shared memory go over to the shared place as an instruction of their own with the same tag (no shared
// instruction is taken before that), the others follow the global way; kill_i does not drop what is left of one that was
// split. SubCores: 1..4. Reset: no instruction held. A shared base that is not a multiple of 16 bytes
// (shared_unit 8, preset `lecture`) would split 128-bit accesses over rows; for such units block bases are doubled in
// the array (sm_mem doubles the shared rows as well).
module sm_lsu #(
    parameter int unsigned SubCores = 4,
    localparam int unsigned UopBits = 102,
    localparam int unsigned SubBits = SubCores > 1 ? $clog2(SubCores) : 1
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic kill_i,
    input  logic small_unit_i,
    input  logic init_valid_i,
    input  logic [1:0]  init_sub_i,
    input  logic [3:0]  init_slot_i,
    input  logic [4:0]  init_block_i,
    input  logic [18:0] init_shared_base_i,
    input  logic [18:0] init_shared_size_i,
    input  logic [47:0] init_local_arena_i, // a multiple of 128
    input  logic [17:0] init_local_bytes_i, // a multiple of 4
    input  logic [143:0] init_const_base_i, // banks 0, 2, 3
    input  logic [50:0]  init_const_size_i,

    // from the sub-cores
    input  logic [SubCores-1:0]         mem_valid_i,
    output logic [SubCores-1:0]         mem_ready_o,
    input  logic [SubCores*4-1:0]       mem_slot_i,
    input  logic [SubCores*UopBits-1:0] mem_uop_i,
    input  logic [SubCores*32-1:0]      mem_mask_i,
    input  logic [SubCores*2048-1:0]    mem_a_i,
    input  logic [SubCores*4096-1:0]    mem_data_i,

    // a free tag, taken with acc_valid_o
    input  logic       tag_valid_i,
    input  logic [6:0] tag_i,

    // instruction accepted: fills the tag's entry in sm_collect
    output logic        acc_valid_o,
    output logic [6:0]  acc_tag_o,
    output logic [1:0]  acc_sub_o,
    output logic [3:0]  acc_slot_o,
    output logic [4:0]  acc_block_o,
    output logic [7:0]  acc_rd_o,
    output logic [2:0]  acc_pd_o,
    output logic [2:0]  acc_size_o,  // MSIZE
    output logic        acc_load_o,  // gives a result
    output logic        acc_shfl_o,
    output logic        acc_global_o,
    output logic [31:0] acc_mask_o,
    output logic [31:0] acc_left_o,  // lanes that access memory: the mask; LDSM: those that give a row
    output logic [2:0]  acc_beats_o, // MSIZE of what is written back
    output logic        acc_ldsm_o,
    output logic        acc_trans_o, // LDSM.T
    output logic [27:0] acc_pc_o,

    // MEMBAR, CCTL accepted
    output logic        fence_valid_o,
    output logic        fence_inval_o, // CCTL
    output logic        fence_gpu_o,   // MEMBAR.GPU, .SYS
    output logic [1:0]  fence_sub_o,
    output logic [3:0]  fence_slot_o,

    // to sm_smem
    output logic          s_valid_o,
    input  logic          s_ready_i,
    output logic [6:0]    s_tag_o,
    output logic          s_store_o,
    output logic          s_shfl_o,
    output logic          s_atom_o,
    output logic [7:0]    s_aop_o,   // {AOP, ATYPE}
    output logic [2:0]    s_lg_o,
    output logic [31:0]   s_mask_o,
    output logic [223:0]  s_offs_o,
    output logic [415:0]  s_rows_o,
    output logic [2:0]    s_merge_o,
    output logic [4095:0] s_data_o,
    output logic [31:0]   s_pred_o,

    // to sm_coalescer
    output logic          g_valid_o,
    input  logic          g_ready_i,
    output logic [6:0]    g_tag_o,
    output logic          g_store_o,
    output logic          g_bypass_o, // .CG, .CV, atomics
    output logic          g_atom_o,
    output logic          g_const_o,          // LDC
    output logic [7:0]    g_aop_o,
    output logic [2:0]    g_lg_o,
    output logic [31:0]   g_mask_o,
    output logic [1311:0] g_lines_o,
    output logic [223:0]  g_offs_o,
    output logic [4095:0] g_data_o,
    output logic [5:0]    g_warp_o,   // sub-core + SubCores * slot
    output logic [27:0]   g_pc_o,
    output logic [4:0]    g_block_o,

    // faulting instructions leave here
    output logic       s_drop_valid_o,
    output logic       g_drop_valid_o,
    output logic           fault_valid_o,
    output sm_pkg::fault_t fault_o
);
  // ---- per warp slot: block, shared range ----
  // [42:38] block, [37:19] base, [18:0] size; index {sub, slot}
  logic [42:0] warp_tab [64];
  always_ff @(posedge clk_i) begin
    if (init_valid_i)
      warp_tab[{init_sub_i, init_slot_i}] <= {init_block_i, init_shared_base_i, init_shared_size_i};
  end

  // ---- per warp slot: local frames (isa/README.md, LDL): a word of all lanes is one line ----
  // [58:18] first line, [17:0] bytes of a frame; index {sub, slot}
  logic [58:0] local_tab [64];
  logic [5:0]  init_warp_slot;
  logic [21:0] init_lines; // lines in front of the warp's in the arena
  always_comb begin
    init_warp_slot = '0;
    init_lines = '0;
    if (init_valid_i) begin
      init_warp_slot = 6'(init_sub_i) + 6'(SubCores) * 6'(init_slot_i);
      init_lines = init_warp_slot * init_local_bytes_i[17:2];
    end
  end
  always_ff @(posedge clk_i) begin
    if (init_valid_i)
      local_tab[{init_sub_i, init_slot_i}] <= {init_local_arena_i[47:7] + 41'(init_lines), init_local_bytes_i};
  end

  // ---- per warp slot: constant banks ----
  // three times [64:17] base, [16:0] bytes: banks 0, 2, 3 from the lowest; index {sub, slot}
  logic [194:0] const_tab [64];
  always_ff @(posedge clk_i) begin
    if (init_valid_i) begin
      for (int unsigned k = 0; k < 3; k++)
        const_tab[{init_sub_i, init_slot_i}][k*65 +: 65] <= {init_const_base_i[k*48 +: 48], init_const_size_i[k*17 +: 17]};
    end
  end

  // ---- grant ----
  logic as_valid_q, ag_valid_q, as_go, ag_go, ag_split; // ag_split: lanes wait to go over to the shared place
  logic [SubCores-1:0] is_g, is_l, is_f, req, grant_oh; // is_g: global front, local accesses too; is_f: MEMBAR, CCTL
  logic [SubBits-1:0] grant_idx;
  logic grant;

  always_comb begin
    for (int unsigned s = 0; s < SubCores; s++) begin
      is_l[s] = mem_uop_i[s*UopBits+94 +: 8] == sm_isa_pkg::OpLDL || mem_uop_i[s*UopBits+94 +: 8] == sm_isa_pkg::OpSTL;
      is_f[s] = mem_uop_i[s*UopBits+94 +: 8] == sm_isa_pkg::OpMEMBAR || mem_uop_i[s*UopBits+94 +: 8] == sm_isa_pkg::OpCCTL;
      is_g[s] = !is_f[s] &&
                mem_uop_i[s*UopBits+94 +: 8] != sm_isa_pkg::OpLDS && mem_uop_i[s*UopBits+94 +: 8] != sm_isa_pkg::OpSTS &&
                mem_uop_i[s*UopBits+94 +: 8] != sm_isa_pkg::OpSHFL && mem_uop_i[s*UopBits+94 +: 8] != sm_isa_pkg::OpATOMS &&
                mem_uop_i[s*UopBits+94 +: 8] != sm_isa_pkg::OpLDSM;
      req[s] = mem_valid_i[s] && (is_f[s] || (tag_valid_i && (is_g[s] ? (!ag_valid_q || ag_go)
                                                                      : (!as_valid_q || as_go) && !ag_split)));
    end
  end
  sm_arb_rr #(.N(SubCores)) u_arb (
      .clk_i, .rst_ni, .req_i(req), .advance_i(1'b1),
      .grant_valid_o(grant), .grant_oh_o(grant_oh), .grant_idx_o(grant_idx)
  );
  assign mem_ready_o = grant_oh;

  // ---- the granted instruction's narrow part ----
  sm_pkg::uop_t uop;
  logic [3:0]   slot;
  logic [31:0]  mask;
  logic [42:0]  warp;
  logic         to_g, to_s, is_store, is_shfl, is_atom, is_gen, is_ldsm, is_cas;
  logic [1:0]   sub;
  logic [2:0]   lg;
  logic [31:0]  row_lanes; // LDSM: lanes that give a row

  always_comb begin
    uop = '0;
    slot = '0;
    mask = '0;
    for (int unsigned s = 0; s < SubCores; s++) begin
      if (grant_oh[s]) begin
        uop = mem_uop_i[s*UopBits +: UopBits];
        slot = mem_slot_i[s*4 +: 4];
        mask = mem_mask_i[s*32 +: 32];
      end
    end
  end
  assign sub = 2'(grant_idx);
  assign warp = warp_tab[{sub, slot}];
  assign to_g = (is_g & grant_oh) != '0;
  assign to_s = ((is_g | is_f) & grant_oh) == '0;
  assign is_store = uop.op == sm_isa_pkg::OpSTG || uop.op == sm_isa_pkg::OpSTS || uop.op == sm_isa_pkg::OpSTL ||
                    uop.op == sm_isa_pkg::OpST || uop.op == sm_isa_pkg::OpRED;
  assign is_shfl = uop.op == sm_isa_pkg::OpSHFL;
  assign is_atom = uop.op == sm_isa_pkg::OpATOM || uop.op == sm_isa_pkg::OpATOMG || uop.op == sm_isa_pkg::OpATOMS ||
                   uop.op == sm_isa_pkg::OpRED;
  assign is_gen = uop.op == sm_isa_pkg::OpLD || uop.op == sm_isa_pkg::OpST || uop.op == sm_isa_pkg::OpATOM;
  assign is_ldsm = uop.op == sm_isa_pkg::OpLDSM;
  assign is_cas = is_atom && uop.mods[7:4] == sm_isa_pkg::ValAOP_CAS;
  assign row_lanes = !is_ldsm || uop.mods[1:0] == sm_isa_pkg::ValLDSMN_4 ? '1 : uop.mods[0] ? 32'h0000ffff : 32'h000000ff;

  function automatic logic [2:0] log_bytes(input logic [2:0] msize);
    case (msize)
      sm_isa_pkg::ValMSIZE_U8, sm_isa_pkg::ValMSIZE_S8: log_bytes = 3'd0;
      sm_isa_pkg::ValMSIZE_U16, sm_isa_pkg::ValMSIZE_S16: log_bytes = 3'd1;
      sm_isa_pkg::ValMSIZE_64: log_bytes = 3'd3;
      sm_isa_pkg::ValMSIZE_128: log_bytes = 3'd4;
      default: log_bytes = 3'd2;
    endcase
  endfunction

  function automatic logic [2:0] log_atom(input logic [3:0] atype);
    case (atype)
      sm_isa_pkg::ValATYPE_U64, sm_isa_pkg::ValATYPE_S64, sm_isa_pkg::ValATYPE_F64: log_atom = 3'd3;
      sm_isa_pkg::ValATYPE_F16, sm_isa_pkg::ValATYPE_BF16, sm_isa_pkg::ValATYPE_U16: log_atom = 3'd1;
      default: log_atom = 3'd2;
    endcase
  endfunction
  assign lg = is_shfl ? 3'd2 : is_ldsm ? 3'd4 : is_atom ? log_atom(uop.mods[3:0]) : log_bytes(uop.mods[2:0]);

  assign fence_valid_o = (is_f & grant_oh) != '0 && !kill_i;
  assign fence_inval_o = uop.op == sm_isa_pkg::OpCCTL;
  assign fence_gpu_o = uop.op == sm_isa_pkg::OpMEMBAR && uop.mods[1:0] != sm_isa_pkg::ValMSCOPE_CTA;
  assign fence_sub_o = sub;
  assign fence_slot_o = slot;

  assign acc_valid_o = grant && (to_g || to_s);
  assign acc_tag_o = tag_i;
  assign acc_sub_o = sub;
  assign acc_slot_o = slot;
  assign acc_block_o = warp[42:38];
  assign acc_rd_o = uop.rd;
  assign acc_pd_o = uop.pd0;
  always_comb begin
    acc_size_o = uop.mods[2:0];
    if (is_shfl) acc_size_o = 3'd4;
    else if (is_ldsm) acc_size_o = sm_isa_pkg::ValMSIZE_128;
    else if (is_atom) acc_size_o = lg == 3'd3 ? sm_isa_pkg::ValMSIZE_64 : lg == 3'd1 ? sm_isa_pkg::ValMSIZE_U16
                                                                                      : 3'd4;
    acc_beats_o = is_ldsm ? 3'd4 + {1'b0, uop.mods[1:0]} : acc_size_o;
  end
  assign acc_left_o = mask & row_lanes;
  assign acc_ldsm_o = is_ldsm;
  assign acc_trans_o = uop.mods[sm_isa_pkg::ModLsbLDSMT];
  assign acc_load_o = !is_store;
  assign acc_shfl_o = is_shfl;
  assign acc_global_o = to_g;
  assign acc_mask_o = mask;
  assign acc_pc_o = uop.pc;

  // ---- waiting places: operands as they came ----
  logic [6:0]    as_tag_q, ag_tag_q;
  logic [1:0]    as_sub_q, ag_sub_q, as_mode_q;
  logic [3:0]    as_slot_q, ag_slot_q;
  logic          as_store_q, ag_store_q, as_shfl_q, ag_bypass_q, as_bimm_q, as_cimm_q;
  logic          as_atom_q, ag_atom_q, as_ldsm_q, as_part_q, ag_part_q; // part: of an instruction that was split
  logic [7:0]    as_aop_q, ag_aop_q;
  logic [2:0]    as_lg_q, ag_lg_q;
  logic [31:0]   as_mask_q, ag_mask_q, as_imm_q, ag_imm_q;
  logic [27:0]   as_pc_q, ag_pc_q;
  logic [37:0]   as_range_q;
  logic [4:0]    ag_block_q;
  logic          ag_local_q, ag_gen_q, ag_const_q, ag_move;
  logic [31:0]   ag_sh, ag_dev; // lanes on shared memory, of global addresses
  logic [37:0]   ag_range_q;
  logic [58:0]   ag_frame_q;
  logic [64:0]   ag_bank_q;
  logic [1023:0] as_a_q;
  logic [2047:0] ag_a_q;
  logic [4095:0] as_data_q, ag_data_q;

  always_ff @(posedge clk_i) begin
    if (ag_move) begin
      as_tag_q <= ag_tag_q;
      as_sub_q <= ag_sub_q;
      as_slot_q <= ag_slot_q;
      as_store_q <= ag_store_q;
      as_shfl_q <= 1'b0;
      as_ldsm_q <= 1'b0;
      as_atom_q <= ag_atom_q;
      as_aop_q <= ag_aop_q;
      as_part_q <= (ag_mask_q & ~ag_sh) != '0 || ag_part_q;
      as_lg_q <= ag_lg_q;
      as_mask_q <= ag_sh;
      as_imm_q <= ag_imm_q;
      as_pc_q <= ag_pc_q;
      as_range_q <= ag_range_q;
      as_a_q <= ag_a_q[1023:0];
      as_data_q <= ag_data_q;
      ag_mask_q <= ag_mask_q & ~ag_sh;
      ag_part_q <= 1'b1;
    end
    if (grant && to_s) begin
      as_atom_q <= is_atom;
      as_ldsm_q <= is_ldsm;
      as_aop_q <= uop.mods[7:0];
      as_part_q <= 1'b0;
      as_tag_q <= tag_i;
      as_sub_q <= sub;
      as_slot_q <= slot;
      as_store_q <= is_store;
      as_shfl_q <= is_shfl;
      as_mode_q <= uop.mods[1:0];
      as_bimm_q <= uop.form == sm_isa_pkg::FormImm;
      as_cimm_q <= uop.mods[2];
      as_lg_q <= lg;
      as_mask_q <= mask & row_lanes;
      as_imm_q <= uop.imm;
      as_pc_q <= uop.pc;
      as_range_q <= warp[37:0];
      for (int unsigned s = 0; s < SubCores; s++) begin
        if (grant_oh[s]) begin
          if (!is_shfl) as_a_q <= mem_a_i[s*2048 +: 1024];
          if (is_store || is_shfl || is_atom) as_data_q[1023:0] <= mem_data_i[s*4096 +: 1024];
          if (is_shfl || is_cas || ((is_store || is_atom) && lg >= 3'd3))
            as_data_q[4095:1024] <= mem_data_i[s*4096+1024 +: 3072];
        end
      end
    end
    if (grant && to_g) begin
      ag_tag_q <= tag_i;
      ag_sub_q <= sub;
      ag_slot_q <= slot;
      ag_store_q <= is_store;
      ag_bypass_q <= is_atom || uop.mods[4:3] == sm_isa_pkg::ValMCACHE_CG || uop.mods[4:3] == sm_isa_pkg::ValMCACHE_CV;
      ag_atom_q <= is_atom;
      ag_aop_q <= uop.mods[7:0];
      ag_gen_q <= is_gen;
      ag_part_q <= 1'b0;
      ag_const_q <= uop.op == sm_isa_pkg::OpLDC;
      if (is_gen) ag_range_q <= warp[37:0];
      if (uop.op == sm_isa_pkg::OpLDC) begin
        case (uop.imm[20:16])
          5'd0: ag_bank_q <= const_tab[{sub, slot}][64:0];
          5'd2: ag_bank_q <= const_tab[{sub, slot}][129:65];
          5'd3: ag_bank_q <= const_tab[{sub, slot}][194:130];
          default: ag_bank_q <= '0; // no bank: nothing is within its size
        endcase
      end
      ag_lg_q <= lg;
      ag_mask_q <= mask;
      ag_imm_q <= uop.imm;
      ag_pc_q <= uop.pc;
      ag_block_q <= warp[42:38];
      ag_local_q <= (is_l & grant_oh) != '0;
      if ((is_l & grant_oh) != '0 || is_gen) ag_frame_q <= local_tab[{sub, slot}];
      for (int unsigned s = 0; s < SubCores; s++) begin
        if (grant_oh[s]) begin
          ag_a_q <= mem_a_i[s*2048 +: 2048];
          if (is_store || is_atom) ag_data_q[1023:0] <= mem_data_i[s*4096 +: 1024];
          if (is_cas || ((is_store || is_atom) && lg >= 3'd3)) ag_data_q[4095:1024] <= mem_data_i[s*4096+1024 +: 3072];
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      as_valid_q <= 1'b0;
      ag_valid_q <= 1'b0;
    end else begin
      if ((grant && to_s) || ag_move) as_valid_q <= 1'b1;
      else if (as_go) as_valid_q <= 1'b0;
      if (grant && to_g) ag_valid_q <= 1'b1;
      else if (ag_go) ag_valid_q <= 1'b0;
    end
  end

  // ---- addresses, checks ----
  logic [31:0]  s_mis, s_oob, g_mis, g_far;
  logic [2:0]   s_merge;
  logic [223:0] s_offs, x_offs;
  logic [31:0]  x_pred;
  logic [159:0] x_b;
  logic [319:0] x_c;
  logic         s_fault, g_fault;

  // floating-point atomics are none of shared memory's
  logic ag_float;
  assign ag_float = ag_aop_q[3:0] >= sm_isa_pkg::ValATYPE_F32 && ag_aop_q[3:0] <= sm_isa_pkg::ValATYPE_BF16;
  sm_lsu_saddr u_saddr (
      .en_i(as_valid_q && !as_shfl_q), .mask_i(as_mask_q), .a_i(as_a_q), .imm_i(as_imm_q), .lg_i(as_lg_q),
      .base_i(small_unit_i ? {as_range_q[37:19], 1'b0} : {1'b0, as_range_q[37:19]}), .size_i(as_range_q[18:0]),
      .offs_o(s_offs), .rows_o(s_rows_o), .mis_o(s_mis), .oob_o(s_oob), .merge_o(s_merge)
  );
  sm_lsu_gaddr u_gaddr (
      .en_i(ag_valid_q), .mask_i(ag_mask_q), .a_i(ag_a_q), .imm_i(ag_imm_q), .lg_i(ag_lg_q),
      .local_i(ag_local_q), .frame_i(ag_frame_q[58:18]), .size_i(ag_frame_q[17:0]),
      .gen_i(ag_gen_q), .word_i(!ag_atom_q && ag_lg_q <= 3'd2),
      .sh_size_i(ag_atom_q && ag_float ? '0 : ag_range_q[18:0]), .const_i(ag_const_q), .const_base_i(ag_bank_q[64:17]),
      .const_size_i(ag_bank_q[16:0]),
      .lines_o(g_lines_o), .offs_o(g_offs_o), .mis_o(g_mis), .far_o(g_far), .sh_o(ag_sh), .dev_o(ag_dev)
  );

  always_comb begin
    x_b = '0;
    x_c = '0;
    if (as_valid_q && as_shfl_q) begin
      for (int unsigned l = 0; l < 32; l++) begin
        x_b[l*5 +: 5] = as_bimm_q ? as_imm_q[4:0] : as_data_q[1024+l*32 +: 5];
        x_c[l*10 +: 5] = as_cimm_q ? as_imm_q[12:8] : as_data_q[2048+l*32 +: 5];
        x_c[l*10+5 +: 5] = as_cimm_q ? as_imm_q[20:16] : as_data_q[2048+l*32+8 +: 5];
      end
    end
  end
  sm_shfl u_shfl (
      .en_i(as_valid_q && as_shfl_q), .mode_i(as_mode_q), .b_i(x_b), .c_i(x_c), .offs_o(x_offs), .pred_o(x_pred)
  );

  assign s_fault = (s_mis | s_oob) != '0;
  assign g_fault = (g_mis | g_far) != '0;
  logic s_kill, g_kill;
  assign s_kill = kill_i && !as_part_q;
  assign g_kill = kill_i && !ag_part_q;
  assign ag_split = ag_valid_q && ag_sh != '0 && !g_fault && !g_kill;
  assign ag_move = ag_split && (!as_valid_q || as_go);
  assign s_valid_o = as_valid_q && !s_fault && !s_kill;
  assign g_valid_o = ag_valid_q && !g_fault && !g_kill && ag_sh == '0;
  assign as_go = as_valid_q && (s_fault || s_kill || s_ready_i);
  assign ag_go = ag_valid_q && (g_fault || g_kill || (ag_sh == '0 && g_ready_i) || (ag_move && ag_mask_q == ag_sh));
  assign s_drop_valid_o = as_valid_q && (s_fault || s_kill);
  assign g_drop_valid_o = ag_valid_q && (g_fault || g_kill);

  assign s_tag_o = as_tag_q;
  assign s_store_o = as_store_q;
  assign s_shfl_o = as_shfl_q;
  assign s_atom_o = as_atom_q;
  assign s_aop_o = as_aop_q;
  assign s_merge_o = as_atom_q || as_ldsm_q ? '0 : s_merge;
  assign s_lg_o = as_lg_q;
  assign s_mask_o = as_mask_q;
  assign s_offs_o = as_shfl_q ? x_offs : s_offs;
  assign s_data_o = as_data_q;
  assign s_pred_o = x_pred;
  assign g_tag_o = ag_tag_q;
  assign g_store_o = ag_store_q;
  assign g_bypass_o = ag_bypass_q;
  assign g_atom_o = ag_atom_q;
  assign g_const_o = ag_const_q;
  assign g_aop_o = ag_aop_q;
  assign g_lg_o = ag_lg_q;
  assign g_mask_o = ag_mask_q;
  assign g_data_o = ag_data_q;
  assign g_warp_o = 6'(ag_sub_q) + 6'(SubCores) * 6'(ag_slot_q);
  assign g_pc_o = ag_pc_q;
  assign g_block_o = ag_block_q;

  // ---- first fault ----
  function automatic logic [4:0] first_lane(input logic [31:0] v);
    first_lane = '0;
    for (int i = 31; i >= 0; i--) if (v[i]) first_lane = 5'(i);
  endfunction

  // faults are rare: everything here sits under the fault condition
  always_ff @(posedge clk_i) begin
    logic [4:0] l;
    l = '0;
    if (!rst_ni) begin
      fault_valid_o <= 1'b0;
      fault_o <= '0;
    end else if (!fault_valid_o && as_valid_q && s_fault) begin
      l = first_lane(s_mis != '0 ? s_mis : s_oob);
      fault_valid_o <= 1'b1;
      fault_o.code <= s_mis != '0 ? sm_cfg_pkg::FaultMisaligned : sm_cfg_pkg::FaultAddrSpace;
      fault_o.sub <= as_sub_q;
      fault_o.slot <= as_slot_q;
      fault_o.lanes <= s_mis != '0 ? s_mis : s_oob;
      fault_o.pc <= as_pc_q;
      fault_o.addr <= {16'd0, as_a_q[{l, 5'd0} +: 32] + as_imm_q};
    end else if (!fault_valid_o && ag_valid_q && g_fault) begin
      l = first_lane(g_mis != '0 ? g_mis : g_far);
      fault_valid_o <= 1'b1;
      fault_o.code <= g_mis != '0 ? sm_cfg_pkg::FaultMisaligned :
                      ag_local_q  ? sm_cfg_pkg::FaultStackError :
                      ag_dev[l]   ? sm_cfg_pkg::FaultIllegalAddr : sm_cfg_pkg::FaultAddrSpace;
      fault_o.sub <= ag_sub_q;
      fault_o.slot <= ag_slot_q;
      fault_o.lanes <= g_mis != '0 ? g_mis : g_far;
      fault_o.pc <= ag_pc_q;
      fault_o.addr <= ag_local_q ? {16'd0, ag_a_q[{1'b0, l, 5'd0} +: 32] + ag_imm_q} // offset in the frame
                                 : {g_lines_o[l*41 +: 41], g_offs_o[l*7 +: 7]};
    end
  end

  // form's upper bits, pd1 and the upper modifiers mean nothing to memory
  logic unused;
  assign unused = ^{uop.form[3:2], uop.pd1, uop.mods[15:8], init_local_arena_i[6:0], init_local_bytes_i[1:0]};
endmodule
