// Generated from isa/isa.def and isa/cfg.def by: build/bin/isagen . (do not edit)
// SPDX-License-Identifier: Apache-2.0
//
// sm_decode_tab: what an instruction reads, writes and is, from its opcode, form of source b and modifiers.
// Combinational. All outputs are zero for an undefined opcode. See also: isa/README.md.
module sm_decode_tab (
    input  logic [7:0]  opcode_i,
    input  logic [3:0]  form_i,
    input  logic [15:0] mods_i,
    output logic        defined_o,  // opcode, form and modifiers are in the table (registers: isa/README.md, pairs and quads)
    output logic [2:0]  pipe_o,  // sm_isa_pkg::Pipe*
    output logic        reads_a_o,  // register a
    output logic        reads_a64_o,  // register a is the lower of a pair (global address)
    output logic        reads_b_o,  // b is a register
    output logic        reads_c_o,  // register c as an operand (not store data)
    output logic        reads_c64_o,  // register c is the lower of a pair (IMAD.WIDE)
    output logic [2:0]  num_store_regs_o,  // store data: registers c upward, 0 = no store
    output logic        writes_rd_o,
    output logic [2:0]  rd_regs_o,  // registers written from rd upward: 0, 1, 2 or 4
    output logic        writes_p0_o,
    output logic        writes_p1_o,
    output logic        reads_p0_o,
    output logic        reads_p1_o,
    output logic        is_load_o,
    output logic        is_store_o,
    output logic        is_smem_o,  // shared space
    output logic        is_branch_o  // may change the running PC or mask
);

  logic [2:0] size_regs;  // registers of a load or store by MSIZE
  logic       is_wide;    // IMAD.WIDE

  always_comb begin
    case (mods_i[sm_isa_pkg::ModLsbMSIZE +: 3])
      3'd5:    size_regs = 3'd2;
      3'd6:    size_regs = 3'd4;
      default: size_regs = 3'd1;
    endcase
  end

  assign is_wide = mods_i[sm_isa_pkg::ModLsbIMADK +: 2] == sm_isa_pkg::ValIMADK_WIDE;

  always_comb begin
    defined_o = 1'd0;
    pipe_o = 3'd0;
    reads_a_o = 1'd0;
    reads_a64_o = 1'd0;
    reads_b_o = 1'd0;
    reads_c_o = 1'd0;
    reads_c64_o = 1'd0;
    num_store_regs_o = 3'd0;
    writes_rd_o = 1'd0;
    rd_regs_o = 3'd0;
    writes_p0_o = 1'd0;
    writes_p1_o = 1'd0;
    reads_p0_o = 1'd0;
    reads_p1_o = 1'd0;
    is_load_o = 1'd0;
    is_store_o = 1'd0;
    is_smem_o = 1'd0;
    is_branch_o = 1'd0;
    case (opcode_i)
      sm_isa_pkg::OpNOP: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
      end
      sm_isa_pkg::OpEXIT: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpBRA: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfffe) == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpBSSY: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpBSYNC: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpBAR: begin
        defined_o = form_i <= sm_isa_pkg::FormImm && (mods_i & 16'hfff0) == 16'd0 && (mods_i[1:0] == 2'd0 || mods_i[1:0] == 2'd1) && (mods_i[3:2] != 2'd3);
        pipe_o = sm_isa_pkg::PipeCTRL;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        reads_c_o = mods_i[sm_isa_pkg::ModLsbBARCNT +: 2] == 2'd2;
      end
      sm_isa_pkg::OpTRAP: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpMOV: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        writes_rd_o = 1'b1;
        rd_regs_o = 3'd1;
      end
      sm_isa_pkg::OpIADD3: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfd8f) == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        reads_c_o = 1'b1;
        writes_rd_o = 1'b1;
        rd_regs_o = 3'd1;
        writes_p0_o = 1'b1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpIMAD: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hffb8) == 16'd0 && (mods_i[1:0] != 2'd3);
        pipe_o = sm_isa_pkg::PipeINT;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        reads_c_o = 1'b1;
        reads_c64_o = is_wide;
        writes_rd_o = 1'b1;
        rd_regs_o = is_wide ? 3'd2 : 3'd1;
      end
      sm_isa_pkg::OpISETP: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hff80) == 16'd0 && (mods_i[4:3] != 2'd3);
        pipe_o = sm_isa_pkg::PipeINT;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        writes_p0_o = 1'b1;
        writes_p1_o = 1'b1;
        reads_p0_o = 1'b1;
        reads_p1_o = 1'b1;
      end
      sm_isa_pkg::OpLOP3: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hff00) == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        reads_c_o = 1'b1;
        writes_rd_o = 1'b1;
        rd_regs_o = 3'd1;
        writes_p0_o = 1'b1;
      end
      sm_isa_pkg::OpSHF: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hffe0) == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        reads_c_o = 1'b1;
        writes_rd_o = 1'b1;
        rd_regs_o = 3'd1;
      end
      sm_isa_pkg::OpPRMT: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        reads_c_o = 1'b1;
        writes_rd_o = 1'b1;
        rd_regs_o = 3'd1;
      end
      sm_isa_pkg::OpSEL: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        writes_rd_o = 1'b1;
        rd_regs_o = 3'd1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpIMNMX: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfffe) == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        writes_rd_o = 1'b1;
        rd_regs_o = 3'd1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpFSETP: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hf800) == 16'd0 && (mods_i[5:4] != 2'd3);
        pipe_o = sm_isa_pkg::PipeINT;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        writes_p0_o = 1'b1;
        writes_p1_o = 1'b1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpFMNMX: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfe4b) == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        writes_rd_o = 1'b1;
        rd_regs_o = 3'd1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpFCHK: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfe4f) == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        writes_p0_o = 1'b1;
      end
      sm_isa_pkg::OpPLOP3: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hff00) == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        writes_p0_o = 1'b1;
        writes_p1_o = 1'b1;
        reads_p0_o = 1'b1;
        reads_p1_o = 1'b1;
      end
      sm_isa_pkg::OpFADD: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfe40) == 16'd0;
        pipe_o = sm_isa_pkg::PipeFP32;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        writes_rd_o = 1'b1;
        rd_regs_o = 3'd1;
      end
      sm_isa_pkg::OpFMUL: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfe40) == 16'd0;
        pipe_o = sm_isa_pkg::PipeFP32;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        writes_rd_o = 1'b1;
        rd_regs_o = 3'd1;
      end
      sm_isa_pkg::OpFFMA: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hff80) == 16'd0;
        pipe_o = sm_isa_pkg::PipeFP32;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        reads_c_o = 1'b1;
        writes_rd_o = 1'b1;
        rd_regs_o = 3'd1;
      end
      sm_isa_pkg::OpMUFU: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hff60) == 16'd0 && (mods_i[3:0] == 4'd0 || mods_i[3:0] == 4'd1 || mods_i[3:0] == 4'd2 || mods_i[3:0] == 4'd3 || mods_i[3:0] == 4'd4 || mods_i[3:0] == 4'd5 || mods_i[3:0] == 4'd6);
        pipe_o = sm_isa_pkg::PipeSFU;
        reads_a_o = 1'b1;
        writes_rd_o = 1'b1;
        rd_regs_o = 3'd1;
      end
      sm_isa_pkg::OpS2R: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeSREG;
        writes_rd_o = 1'b1;
        rd_regs_o = 3'd1;
      end
      sm_isa_pkg::OpLDG: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hffe0) == 16'd0 && (mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        reads_a_o = 1'b1;
        reads_a64_o = 1'b1;
        writes_rd_o = 1'b1;
        rd_regs_o = size_regs;
        is_load_o = 1'b1;
      end
      sm_isa_pkg::OpSTG: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hffe0) == 16'd0 && (mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        reads_a_o = 1'b1;
        reads_a64_o = 1'b1;
        num_store_regs_o = size_regs;
        is_store_o = 1'b1;
      end
      sm_isa_pkg::OpLDS: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfff8) == 16'd0 && (mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        reads_a_o = 1'b1;
        writes_rd_o = 1'b1;
        rd_regs_o = size_regs;
        is_load_o = 1'b1;
        is_smem_o = 1'b1;
      end
      sm_isa_pkg::OpSTS: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfff8) == 16'd0 && (mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        reads_a_o = 1'b1;
        num_store_regs_o = size_regs;
        is_store_o = 1'b1;
        is_smem_o = 1'b1;
      end
      sm_isa_pkg::OpSHFL: begin
        defined_o = form_i <= sm_isa_pkg::FormImm && (mods_i & 16'hfff8) == 16'd0;
        pipe_o = sm_isa_pkg::PipeLSU;
        reads_a_o = 1'b1;
        reads_b_o = form_i == sm_isa_pkg::FormReg;
        reads_c_o = !mods_i[sm_isa_pkg::ModLsbCIMM];
        writes_rd_o = 1'b1;
        rd_regs_o = 3'd1;
        writes_p0_o = 1'b1;
      end
      sm_isa_pkg::OpLDL: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfff8) == 16'd0 && (mods_i[2:0] != 3'd5 && mods_i[2:0] != 3'd6 && mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        reads_a_o = 1'b1;
        writes_rd_o = 1'b1;
        rd_regs_o = size_regs;
        is_load_o = 1'b1;
      end
      sm_isa_pkg::OpSTL: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfff8) == 16'd0 && (mods_i[2:0] != 3'd5 && mods_i[2:0] != 3'd6 && mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        reads_a_o = 1'b1;
        num_store_regs_o = size_regs;
        is_store_o = 1'b1;
      end
      default: ;
    endcase
  end

endmodule
