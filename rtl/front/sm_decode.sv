// SPDX-License-Identifier: Apache-2.0
//
// sm_decode: one instruction word to an instruction-buffer entry: fields, the table's facts, register checks.
// Latency 0. `bad`: opcode, form or modifier outside the table; a pair or quad that is not aligned or reaches R255;
// a register at or above regs_i (the thread's allocation).
module sm_decode (
    input  logic [127:0]       word_i,
    input  logic [8:0]         regs_i,
    output sm_sub_pkg::insn_t  insn_o,
    output logic [31:0]        imm_o
);
  logic       defined;
  logic [3:0] pipe;
  logic [2:0] na, nb, nc, nd;
  logic       writes_p0, writes_p1, reads_p0, reads_p1;
  logic       is_load, is_store, is_atomic, is_smem, is_cmem, is_generic, is_branch;

  sm_decode_tab u_tab (
      .opcode_i(word_i[7:0]), .form_i(word_i[15:12]), .mods_i(word_i[103:88]),
      .defined_o(defined), .pipe_o(pipe), .a_regs_o(na), .b_regs_o(nb), .c_regs_o(nc), .d_regs_o(nd),
      .writes_p0_o(writes_p0), .writes_p1_o(writes_p1), .reads_p0_o(reads_p0), .reads_p1_o(reads_p1), .is_load_o(is_load),
      .is_store_o(is_store), .is_atomic_o(is_atomic), .is_smem_o(is_smem), .is_cmem_o(is_cmem), .is_generic_o(is_generic),
      .is_branch_o(is_branch)
  );

  logic [7:0] ra, rb, rc, rd;
  logic       ctl_unit, ctl_late, ctl_int, built;
  assign rd = word_i[23:16];
  assign ra = word_i[31:24];
  assign rb = word_i[39:32];
  assign rc = word_i[71:64];
  // Matrix instructions: combinations of modifiers that PTX does not have are undefined (wg_insn_mma_defined).
  logic [1:0] mma_shape, mma_type;
  logic       mma_acc16, mma_defined;
  assign mma_shape = word_i[88 + sm_isa_pkg::ModLsbMSH +: 2];
  assign mma_type = word_i[88 + sm_isa_pkg::ModLsbMIN +: 2];
  assign mma_acc16 = word_i[88 + sm_isa_pkg::ModLsbMACC] == sm_isa_pkg::ValMACC_F16;
  assign mma_defined = word_i[7:0] != sm_isa_pkg::OpHMMA ||
                       (mma_type == sm_isa_pkg::ValMIN_TF32 ? mma_shape != sm_isa_pkg::ValMSH_16816 && !mma_acc16
                                                            : mma_shape != sm_isa_pkg::ValMSH_1684 &&
                                                              (!mma_acc16 || mma_type == sm_isa_pkg::ValMIN_F16));
  // Atomics: operations that a type does not have are undefined (wg_insn_atom_defined).
  logic [3:0] atom_type, atom_op;
  logic       atom_defined;
  assign atom_type = word_i[88 + sm_isa_pkg::ModLsbATYPE +: 4];
  assign atom_op = word_i[88 + sm_isa_pkg::ModLsbAOP +: 4];
  assign atom_defined =
      atom_type <= sm_isa_pkg::ValATYPE_S64 ? (atom_op != sm_isa_pkg::ValAOP_INC && atom_op != sm_isa_pkg::ValAOP_DEC) ||
                                              atom_type == sm_isa_pkg::ValATYPE_U32
      : atom_type == sm_isa_pkg::ValATYPE_U16 ? atom_op == sm_isa_pkg::ValAOP_CAS
      : atom_op == sm_isa_pkg::ValAOP_ADD && word_i[7:0] != sm_isa_pkg::OpATOMS;
  // Instructions of the table that no unit executes yet are undefined.
  always_comb begin
    case (pipe)
      sm_isa_pkg::PipeMMA: built = mma_defined;
      sm_isa_pkg::PipeLSU: built = !is_atomic || atom_defined;
      default: built = 1'b1;
    endcase
  end
  // to the divergence unit: at issue, or late with registers; CALL, BMOV.RD and BSSY.RD write their register through the int pipe
  assign ctl_unit = is_branch && word_i[7:0] != sm_isa_pkg::OpTRAP;
  assign ctl_late = word_i[7:0] == sm_isa_pkg::OpRET || word_i[7:0] == sm_isa_pkg::OpBRX ||
                    word_i[7:0] == sm_isa_pkg::OpNANOSLEEP || word_i[7:0] == sm_isa_pkg::OpWARPSYNC ||
                    word_i[7:0] == sm_isa_pkg::OpBMOVB;
  assign ctl_int = word_i[7:0] == sm_isa_pkg::OpCALL || word_i[7:0] == sm_isa_pkg::OpBMOVR ||
                   word_i[7:0] == sm_isa_pkg::OpBSSYR;
  assign imm_o = word_i[63:32];

  logic unused_word;
  assign unused_word = ^{word_i[127:126], word_i[79], word_i[75], is_cmem, is_generic};

  // the four register fields: registers r .. r+n-1 as a mask inside the aligned group of four, and whether they are wrong:
  // misaligned, beyond R254 or beyond the allocation
  logic [31:0] field;
  logic [11:0] count;
  logic [15:0] group;
  logic [3:0]  wrong;
  logic [8:0]  last;
  assign field = {rd, rc, rb, ra};
  assign count = {nd, nc, nb, na};
  always_comb begin
    group = '0;
    wrong = '0;
    last = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      if (count[3*i +: 3] != 3'd0 && field[8*i +: 8] != 8'd255) begin
        last = {1'b0, field[8*i +: 8]} + {6'b0, count[3*i +: 3]} - 9'd1;
        case (count[3*i +: 3])
          3'd1:    group[4*i +: 4] = 4'b0001 << field[8*i +: 2];
          3'd2:    group[4*i +: 4] = 4'b0011 << field[8*i +: 2];
          default: group[4*i +: 4] = 4'b1111;
        endcase
        wrong[i] = (count[3*i +: 3] == 3'd2 && field[8*i]) || (count[3*i +: 3] == 3'd4 && field[8*i +: 2] != 2'd0) ||
                   last > 9'd254 || last >= regs_i;
      end
    end
  end

  always_comb begin
    insn_o = '0;
    insn_o.op = word_i[7:0];
    insn_o.mods = word_i[103:88];
    insn_o.form = word_i[15:12];
    insn_o.rd = rd;
    insn_o.ra = ra;
    insn_o.rb = rb;
    insn_o.rc = rc;
    insn_o.pd0 = writes_p0 ? word_i[74:72] : 3'd7;
    insn_o.pd1 = writes_p1 ? word_i[78:76] : 3'd7;
    insn_o.ps0 = word_i[82:80];
    insn_o.ps0_not = word_i[83];
    insn_o.ps1 = word_i[86:84];
    insn_o.ps1_not = word_i[87];
    insn_o.guard = word_i[10:8];
    insn_o.guard_not = word_i[11];
    insn_o.bad = !defined || !built || wrong != '0;
    insn_o.cls[sm_sub_pkg::ClsInt] = pipe == sm_isa_pkg::PipeINT || ctl_int;
    insn_o.cls[sm_sub_pkg::ClsFp] = pipe == sm_isa_pkg::PipeFP32 || pipe == sm_isa_pkg::PipeHALF;
    insn_o.cls[sm_sub_pkg::ClsF64] = pipe == sm_isa_pkg::PipeFP64;
    insn_o.cls[sm_sub_pkg::ClsXl] = pipe == sm_isa_pkg::PipeXLANE;
    insn_o.cls[sm_sub_pkg::ClsMma] = pipe == sm_isa_pkg::PipeMMA;
    insn_o.cls[sm_sub_pkg::ClsSfu] = pipe == sm_isa_pkg::PipeSFU;
    insn_o.cls[sm_sub_pkg::ClsLsu] = pipe == sm_isa_pkg::PipeLSU;
    insn_o.cls[sm_sub_pkg::ClsSreg] = pipe == sm_isa_pkg::PipeSREG;
    insn_o.cls[sm_sub_pkg::ClsBar] = word_i[7:0] == sm_isa_pkg::OpBAR || word_i[7:0] == sm_isa_pkg::OpBARRED || ctl_late;
    insn_o.cls[sm_sub_pkg::ClsCtl] = ctl_unit;
    if (insn_o.bad) insn_o.cls = '0;
    else begin
      {insn_o.md, insn_o.mc, insn_o.mb, insn_o.ma} = group;
    end
    insn_o.a64 = na[2:1] != '0;
    insn_o.a128 = na[2];
    insn_o.b64 = nb == 3'd2;
    insn_o.nc = nc;
    insn_o.wide = nd == 3'd2;
    insn_o.wp0 = writes_p0 && insn_o.pd0 != 3'd7;
    insn_o.wp1 = writes_p1 && insn_o.pd1 != 3'd7;
    insn_o.pm = 8'd1 << insn_o.guard;
    if (reads_p0) insn_o.pm |= 8'd1 << insn_o.ps0;
    if (reads_p1) insn_o.pm |= 8'd1 << insn_o.ps1;
    insn_o.pm |= 8'd1 << insn_o.pd0;
    insn_o.pm |= 8'd1 << insn_o.pd1;
    insn_o.pm[7] = 1'b0;
    insn_o.has_wb = pipe == sm_isa_pkg::PipeLSU && (is_load || word_i[7:0] == sm_isa_pkg::OpSHFL);
    insn_o.is_global = (is_load || is_store) && !is_smem;
    insn_o.is_smem = is_smem;
    insn_o.is_exit = word_i[7:0] == sm_isa_pkg::OpEXIT;
    insn_o.is_const = !insn_o.bad && word_i[15:12] == sm_isa_pkg::FormConst;
    insn_o.stall = word_i[107:104];
    insn_o.yields = word_i[111:108] != '0;
    insn_o.wr_ctr = word_i[115] ? 3'd7 : word_i[114:112];
    insn_o.rd_ctr = word_i[119] ? 3'd7 : word_i[118:116];
    insn_o.wait_mask = word_i[125:120];
  end
endmodule
