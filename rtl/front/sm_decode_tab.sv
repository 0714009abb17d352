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
    output logic [3:0]  pipe_o,  // sm_isa_pkg::Pipe*
    output logic [2:0]  a_regs_o,  // registers read from ra upward (operand a or address): 0, 1, 2 or 4
    output logic [2:0]  b_regs_o,  // from rb upward; 0 if b is not a register
    output logic [2:0]  c_regs_o,  // from rc upward: operand c or store data
    output logic [2:0]  d_regs_o,  // registers written from rd upward
    output logic        writes_p0_o,
    output logic        writes_p1_o,
    output logic        reads_p0_o,
    output logic        reads_p1_o,
    output logic        is_load_o,
    output logic        is_store_o,  // writes memory, ends without a write-back
    output logic        is_atomic_o,
    output logic        is_smem_o,  // shared space
    output logic        is_cmem_o,  // constant bank (LDC)
    output logic        is_generic_o,  // space by the upper word of the address
    output logic        is_branch_o  // may change the running PC or mask
);

  always_comb begin
    defined_o = 1'd0;
    pipe_o = 4'd0;
    a_regs_o = 3'd0;
    b_regs_o = 3'd0;
    c_regs_o = 3'd0;
    d_regs_o = 3'd0;
    writes_p0_o = 1'd0;
    writes_p1_o = 1'd0;
    reads_p0_o = 1'd0;
    reads_p1_o = 1'd0;
    is_load_o = 1'd0;
    is_store_o = 1'd0;
    is_atomic_o = 1'd0;
    is_smem_o = 1'd0;
    is_cmem_o = 1'd0;
    is_generic_o = 1'd0;
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
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        c_regs_o = {2'b0, mods_i[sm_isa_pkg::ModLsbBARCNT +: 2] == 2'd2};
      end
      sm_isa_pkg::OpTRAP: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpYIELD: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpNANOSLEEP: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpWARPSYNC: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpBREAK: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpCALL: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        d_regs_o = 3'd1;
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpRET: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        a_regs_o = 3'd1;
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpBRX: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        a_regs_o = 3'd1;
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpBMOVR: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        d_regs_o = 3'd1;
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpBMOVB: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        a_regs_o = 3'd1;
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpBSSYR: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeCTRL;
        d_regs_o = 3'd1;
        is_branch_o = 1'b1;
      end
      sm_isa_pkg::OpBARRED: begin
        defined_o = form_i <= sm_isa_pkg::FormImm && (mods_i & 16'hffc3) == 16'd0 && (mods_i[5:4] != 2'd3) && (mods_i[3:2] != 2'd3);
        pipe_o = sm_isa_pkg::PipeCTRL;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        c_regs_o = {2'b0, mods_i[sm_isa_pkg::ModLsbBARCNT +: 2] == 2'd2};
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpMOV: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpIADD3: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfd8f) == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        c_regs_o = 3'd1;
        d_regs_o = 3'd1;
        writes_p0_o = 1'b1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpIMAD: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hffb8) == 16'd0 && (mods_i[1:0] != 2'd3);
        pipe_o = sm_isa_pkg::PipeINT;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        c_regs_o = 3'd1;
        if (mods_i[1:0] == 2'd2) c_regs_o = c_regs_o << 1;
        d_regs_o = 3'd1;
        if (mods_i[1:0] == 2'd2) d_regs_o = d_regs_o << 1;
      end
      sm_isa_pkg::OpISETP: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hff80) == 16'd0 && (mods_i[4:3] != 2'd3);
        pipe_o = sm_isa_pkg::PipeINT;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        writes_p0_o = 1'b1;
        writes_p1_o = 1'b1;
        reads_p0_o = 1'b1;
        reads_p1_o = 1'b1;
      end
      sm_isa_pkg::OpLOP3: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hff00) == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        c_regs_o = 3'd1;
        d_regs_o = 3'd1;
        writes_p0_o = 1'b1;
      end
      sm_isa_pkg::OpSHF: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hffe0) == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        c_regs_o = 3'd1;
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpPRMT: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        c_regs_o = 3'd1;
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpSEL: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        d_regs_o = 3'd1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpIMNMX: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfffe) == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        d_regs_o = 3'd1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpFSETP: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hf800) == 16'd0 && (mods_i[5:4] != 2'd3);
        pipe_o = sm_isa_pkg::PipeINT;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        writes_p0_o = 1'b1;
        writes_p1_o = 1'b1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpFMNMX: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfe4b) == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        d_regs_o = 3'd1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpFCHK: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfe4f) == 16'd0;
        pipe_o = sm_isa_pkg::PipeINT;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
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
      sm_isa_pkg::OpIDP: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfff0) == 16'd0 && (mods_i[1:0] != 2'd3);
        pipe_o = sm_isa_pkg::PipeINT;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        c_regs_o = 3'd1;
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpDADD: begin
        defined_o = form_i <= sm_isa_pkg::FormImm && (mods_i & 16'hfe4c) == 16'd0;
        pipe_o = sm_isa_pkg::PipeFP64;
        a_regs_o = 3'd1;
        a_regs_o = a_regs_o << 1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        b_regs_o = b_regs_o << 1;
        d_regs_o = 3'd1;
        d_regs_o = d_regs_o << 1;
      end
      sm_isa_pkg::OpDMUL: begin
        defined_o = form_i <= sm_isa_pkg::FormImm && (mods_i & 16'hfe4c) == 16'd0;
        pipe_o = sm_isa_pkg::PipeFP64;
        a_regs_o = 3'd1;
        a_regs_o = a_regs_o << 1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        b_regs_o = b_regs_o << 1;
        d_regs_o = 3'd1;
        d_regs_o = d_regs_o << 1;
      end
      sm_isa_pkg::OpDFMA: begin
        defined_o = form_i <= sm_isa_pkg::FormImm && (mods_i & 16'hff8c) == 16'd0;
        pipe_o = sm_isa_pkg::PipeFP64;
        a_regs_o = 3'd1;
        a_regs_o = a_regs_o << 1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        b_regs_o = b_regs_o << 1;
        c_regs_o = 3'd1;
        c_regs_o = c_regs_o << 1;
        d_regs_o = 3'd1;
        d_regs_o = d_regs_o << 1;
      end
      sm_isa_pkg::OpDSETP: begin
        defined_o = form_i <= sm_isa_pkg::FormImm && (mods_i & 16'hf840) == 16'd0 && (mods_i[5:4] != 2'd3);
        pipe_o = sm_isa_pkg::PipeFP64;
        a_regs_o = 3'd1;
        a_regs_o = a_regs_o << 1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        b_regs_o = b_regs_o << 1;
        writes_p0_o = 1'b1;
        writes_p1_o = 1'b1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpDMNMX: begin
        defined_o = form_i <= sm_isa_pkg::FormImm && (mods_i & 16'hfe4f) == 16'd0;
        pipe_o = sm_isa_pkg::PipeFP64;
        a_regs_o = 3'd1;
        a_regs_o = a_regs_o << 1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        b_regs_o = b_regs_o << 1;
        d_regs_o = 3'd1;
        d_regs_o = d_regs_o << 1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpHADD2: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfc42) == 16'd0;
        pipe_o = sm_isa_pkg::PipeHALF;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpHMUL2: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfc42) == 16'd0;
        pipe_o = sm_isa_pkg::PipeHALF;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpHFMA2: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfd82) == 16'd0;
        pipe_o = sm_isa_pkg::PipeHALF;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        c_regs_o = 3'd1;
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpHMNMX2: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfe42) == 16'd0;
        pipe_o = sm_isa_pkg::PipeHALF;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        d_regs_o = 3'd1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpHSETP2: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'he000) == 16'd0 && (mods_i[5:4] != 2'd3);
        pipe_o = sm_isa_pkg::PipeHALF;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        writes_p0_o = 1'b1;
        writes_p1_o = 1'b1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpFADD: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfe40) == 16'd0;
        pipe_o = sm_isa_pkg::PipeFP32;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpFMUL: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfe40) == 16'd0;
        pipe_o = sm_isa_pkg::PipeFP32;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpFFMA: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hff80) == 16'd0;
        pipe_o = sm_isa_pkg::PipeFP32;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        c_regs_o = 3'd1;
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpMUFU: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hff60) == 16'd0 && (mods_i[3:0] != 4'd10 && mods_i[3:0] != 4'd11 && mods_i[3:0] != 4'd12 && mods_i[3:0] != 4'd13 && mods_i[3:0] != 4'd14 && mods_i[3:0] != 4'd15);
        pipe_o = sm_isa_pkg::PipeSFU;
        a_regs_o = 3'd1;
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpS2R: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeSREG;
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpI2F: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'h8f1c) == 16'd0 && (mods_i[7:5] != 3'd5 && mods_i[7:5] != 3'd6 && mods_i[7:5] != 3'd7);
        pipe_o = sm_isa_pkg::PipeSFU;
        a_regs_o = 3'd1;
        if (mods_i[14:12] == 3'd6) a_regs_o = a_regs_o << 1;
        if (mods_i[14:12] == 3'd7) a_regs_o = a_regs_o << 1;
        d_regs_o = 3'd1;
        if (mods_i[7:5] == 3'd2) d_regs_o = d_regs_o << 1;
      end
      sm_isa_pkg::OpF2I: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'h8cf8) == 16'd0;
        pipe_o = sm_isa_pkg::PipeSFU;
        a_regs_o = 3'd1;
        if (mods_i[9:8] == 2'd2) a_regs_o = a_regs_o << 1;
        d_regs_o = 3'd1;
        if (mods_i[14:12] == 3'd6) d_regs_o = d_regs_o << 1;
        if (mods_i[14:12] == 3'd7) d_regs_o = d_regs_o << 1;
      end
      sm_isa_pkg::OpF2F: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hf000) == 16'd0 && (mods_i[7:5] != 3'd5 && mods_i[7:5] != 3'd6 && mods_i[7:5] != 3'd7);
        pipe_o = sm_isa_pkg::PipeSFU;
        a_regs_o = 3'd1;
        if (mods_i[9:8] == 2'd2) a_regs_o = a_regs_o << 1;
        d_regs_o = 3'd1;
        if (mods_i[7:5] == 3'd2) d_regs_o = d_regs_o << 1;
      end
      sm_isa_pkg::OpPOPC: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfffe) == 16'd0;
        pipe_o = sm_isa_pkg::PipeSFU;
        a_regs_o = 3'd1;
        if (mods_i[0:0] == 1'd1) a_regs_o = a_regs_o << 1;
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpFLO: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfff8) == 16'd0;
        pipe_o = sm_isa_pkg::PipeSFU;
        a_regs_o = 3'd1;
        if (mods_i[0:0] == 1'd1) a_regs_o = a_regs_o << 1;
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpBREV: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfffe) == 16'd0;
        pipe_o = sm_isa_pkg::PipeSFU;
        a_regs_o = 3'd1;
        if (mods_i[0:0] == 1'd1) a_regs_o = a_regs_o << 1;
        d_regs_o = 3'd1;
        if (mods_i[0:0] == 1'd1) d_regs_o = d_regs_o << 1;
      end
      sm_isa_pkg::OpVOTE: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfffc) == 16'd0 && (mods_i[1:0] != 2'd3);
        pipe_o = sm_isa_pkg::PipeXLANE;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        d_regs_o = 3'd1;
        writes_p0_o = 1'b1;
        reads_p0_o = 1'b1;
      end
      sm_isa_pkg::OpMATCH: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfffc) == 16'd0;
        pipe_o = sm_isa_pkg::PipeXLANE;
        a_regs_o = 3'd1;
        if (mods_i[0:0] == 1'd1) a_regs_o = a_regs_o << 1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        d_regs_o = 3'd1;
        writes_p0_o = 1'b1;
      end
      sm_isa_pkg::OpREDUX: begin
        defined_o = form_i <= sm_isa_pkg::FormConst && (mods_i & 16'hfff0) == 16'd0 && (mods_i[2:0] != 3'd6 && mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeXLANE;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        d_regs_o = 3'd1;
      end
      sm_isa_pkg::OpHMMA: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hffe0) == 16'd0 && (mods_i[1:0] != 2'd3) && (mods_i[4:3] != 2'd3);
        pipe_o = sm_isa_pkg::PipeMMA;
        a_regs_o = 3'd1;
        a_regs_o = a_regs_o << 1;
        if (mods_i[1:0] == 2'd2) a_regs_o = a_regs_o << 1;
        if (mods_i[4:3] == 2'd2 && mods_i[1:0] == 2'd1) a_regs_o = a_regs_o << 1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        if (mods_i[1:0] == 2'd2) b_regs_o = b_regs_o << 1;
        if (mods_i[4:3] == 2'd2 && mods_i[1:0] == 2'd1) b_regs_o = b_regs_o << 1;
        c_regs_o = 3'd1;
        c_regs_o = c_regs_o << 1;
        if (mods_i[2:2] == 1'd0) c_regs_o = c_regs_o << 1;
        d_regs_o = 3'd1;
        d_regs_o = d_regs_o << 1;
        if (mods_i[2:2] == 1'd0) d_regs_o = d_regs_o << 1;
      end
      sm_isa_pkg::OpIMMA: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hffe0) == 16'd0 && (mods_i[1:0] != 2'd3);
        pipe_o = sm_isa_pkg::PipeMMA;
        a_regs_o = 3'd1;
        if (mods_i[1:0] == 2'd1) a_regs_o = a_regs_o << 1;
        if (mods_i[1:0] == 2'd2) a_regs_o = a_regs_o << 2;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        if (mods_i[1:0] == 2'd2) b_regs_o = b_regs_o << 1;
        c_regs_o = 3'd1;
        c_regs_o = c_regs_o << 1;
        if (mods_i[1:0] == 2'd1) c_regs_o = c_regs_o << 1;
        if (mods_i[1:0] == 2'd2) c_regs_o = c_regs_o << 1;
        d_regs_o = 3'd1;
        d_regs_o = d_regs_o << 1;
        if (mods_i[1:0] == 2'd1) d_regs_o = d_regs_o << 1;
        if (mods_i[1:0] == 2'd2) d_regs_o = d_regs_o << 1;
      end
      sm_isa_pkg::OpDMMA: begin
        defined_o = form_i == sm_isa_pkg::FormReg && mods_i == 16'd0;
        pipe_o = sm_isa_pkg::PipeMMA;
        a_regs_o = 3'd1;
        a_regs_o = a_regs_o << 1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        b_regs_o = b_regs_o << 1;
        c_regs_o = 3'd1;
        c_regs_o = c_regs_o << 2;
        d_regs_o = 3'd1;
        d_regs_o = d_regs_o << 2;
      end
      sm_isa_pkg::OpLDG: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hffe0) == 16'd0 && (mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        a_regs_o = a_regs_o << 1;
        d_regs_o = 3'd1;
        if (mods_i[2:0] == 3'd5) d_regs_o = d_regs_o << 1;
        if (mods_i[2:0] == 3'd6) d_regs_o = d_regs_o << 2;
        is_load_o = 1'b1;
      end
      sm_isa_pkg::OpSTG: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hffe0) == 16'd0 && (mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        a_regs_o = a_regs_o << 1;
        c_regs_o = 3'd1;
        if (mods_i[2:0] == 3'd5) c_regs_o = c_regs_o << 1;
        if (mods_i[2:0] == 3'd6) c_regs_o = c_regs_o << 2;
        is_store_o = 1'b1;
      end
      sm_isa_pkg::OpLDS: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfff8) == 16'd0 && (mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        d_regs_o = 3'd1;
        if (mods_i[2:0] == 3'd5) d_regs_o = d_regs_o << 1;
        if (mods_i[2:0] == 3'd6) d_regs_o = d_regs_o << 2;
        is_load_o = 1'b1;
        is_smem_o = 1'b1;
      end
      sm_isa_pkg::OpSTS: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfff8) == 16'd0 && (mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        c_regs_o = 3'd1;
        if (mods_i[2:0] == 3'd5) c_regs_o = c_regs_o << 1;
        if (mods_i[2:0] == 3'd6) c_regs_o = c_regs_o << 2;
        is_store_o = 1'b1;
        is_smem_o = 1'b1;
      end
      sm_isa_pkg::OpSHFL: begin
        defined_o = form_i <= sm_isa_pkg::FormImm && (mods_i & 16'hfff8) == 16'd0;
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        b_regs_o = {2'b0, form_i == sm_isa_pkg::FormReg};
        c_regs_o = {2'b0, !mods_i[sm_isa_pkg::ModLsbCIMM]};
        d_regs_o = 3'd1;
        writes_p0_o = 1'b1;
      end
      sm_isa_pkg::OpLDL: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfff8) == 16'd0 && (mods_i[2:0] != 3'd5 && mods_i[2:0] != 3'd6 && mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        d_regs_o = 3'd1;
        is_load_o = 1'b1;
      end
      sm_isa_pkg::OpSTL: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfff8) == 16'd0 && (mods_i[2:0] != 3'd5 && mods_i[2:0] != 3'd6 && mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        c_regs_o = 3'd1;
        is_store_o = 1'b1;
      end
      sm_isa_pkg::OpLD: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hffe0) == 16'd0 && (mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        a_regs_o = a_regs_o << 1;
        d_regs_o = 3'd1;
        if (mods_i[2:0] == 3'd5) d_regs_o = d_regs_o << 1;
        if (mods_i[2:0] == 3'd6) d_regs_o = d_regs_o << 2;
        is_load_o = 1'b1;
        is_generic_o = 1'b1;
      end
      sm_isa_pkg::OpST: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hffe0) == 16'd0 && (mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        a_regs_o = a_regs_o << 1;
        c_regs_o = 3'd1;
        if (mods_i[2:0] == 3'd5) c_regs_o = c_regs_o << 1;
        if (mods_i[2:0] == 3'd6) c_regs_o = c_regs_o << 2;
        is_store_o = 1'b1;
        is_generic_o = 1'b1;
      end
      sm_isa_pkg::OpLDC: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfff8) == 16'd0 && (mods_i[2:0] != 3'd7);
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        d_regs_o = 3'd1;
        if (mods_i[2:0] == 3'd5) d_regs_o = d_regs_o << 1;
        if (mods_i[2:0] == 3'd6) d_regs_o = d_regs_o << 2;
        is_load_o = 1'b1;
        is_cmem_o = 1'b1;
      end
      sm_isa_pkg::OpATOM: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hff00) == 16'd0 && (mods_i[3:0] != 4'd11 && mods_i[3:0] != 4'd12 && mods_i[3:0] != 4'd13 && mods_i[3:0] != 4'd14 && mods_i[3:0] != 4'd15) && (mods_i[7:4] != 4'd10 && mods_i[7:4] != 4'd11 && mods_i[7:4] != 4'd12 && mods_i[7:4] != 4'd13 && mods_i[7:4] != 4'd14 && mods_i[7:4] != 4'd15);
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        a_regs_o = a_regs_o << 1;
        c_regs_o = 3'd1;
        if (mods_i[3:0] == 4'd2) c_regs_o = c_regs_o << 1;
        if (mods_i[3:0] == 4'd3) c_regs_o = c_regs_o << 1;
        if (mods_i[3:0] == 4'd5) c_regs_o = c_regs_o << 1;
        if (mods_i[7:4] == 4'd9) c_regs_o = c_regs_o << 1;
        d_regs_o = 3'd1;
        if (mods_i[3:0] == 4'd2) d_regs_o = d_regs_o << 1;
        if (mods_i[3:0] == 4'd3) d_regs_o = d_regs_o << 1;
        if (mods_i[3:0] == 4'd5) d_regs_o = d_regs_o << 1;
        is_load_o = 1'b1;
        is_atomic_o = 1'b1;
        is_generic_o = 1'b1;
      end
      sm_isa_pkg::OpATOMG: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hff00) == 16'd0 && (mods_i[3:0] != 4'd11 && mods_i[3:0] != 4'd12 && mods_i[3:0] != 4'd13 && mods_i[3:0] != 4'd14 && mods_i[3:0] != 4'd15) && (mods_i[7:4] != 4'd10 && mods_i[7:4] != 4'd11 && mods_i[7:4] != 4'd12 && mods_i[7:4] != 4'd13 && mods_i[7:4] != 4'd14 && mods_i[7:4] != 4'd15);
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        a_regs_o = a_regs_o << 1;
        c_regs_o = 3'd1;
        if (mods_i[3:0] == 4'd2) c_regs_o = c_regs_o << 1;
        if (mods_i[3:0] == 4'd3) c_regs_o = c_regs_o << 1;
        if (mods_i[3:0] == 4'd5) c_regs_o = c_regs_o << 1;
        if (mods_i[7:4] == 4'd9) c_regs_o = c_regs_o << 1;
        d_regs_o = 3'd1;
        if (mods_i[3:0] == 4'd2) d_regs_o = d_regs_o << 1;
        if (mods_i[3:0] == 4'd3) d_regs_o = d_regs_o << 1;
        if (mods_i[3:0] == 4'd5) d_regs_o = d_regs_o << 1;
        is_load_o = 1'b1;
        is_atomic_o = 1'b1;
      end
      sm_isa_pkg::OpATOMS: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hff00) == 16'd0 && (mods_i[3:0] != 4'd11 && mods_i[3:0] != 4'd12 && mods_i[3:0] != 4'd13 && mods_i[3:0] != 4'd14 && mods_i[3:0] != 4'd15) && (mods_i[7:4] != 4'd10 && mods_i[7:4] != 4'd11 && mods_i[7:4] != 4'd12 && mods_i[7:4] != 4'd13 && mods_i[7:4] != 4'd14 && mods_i[7:4] != 4'd15);
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        c_regs_o = 3'd1;
        if (mods_i[3:0] == 4'd2) c_regs_o = c_regs_o << 1;
        if (mods_i[3:0] == 4'd3) c_regs_o = c_regs_o << 1;
        if (mods_i[3:0] == 4'd5) c_regs_o = c_regs_o << 1;
        if (mods_i[7:4] == 4'd9) c_regs_o = c_regs_o << 1;
        d_regs_o = 3'd1;
        if (mods_i[3:0] == 4'd2) d_regs_o = d_regs_o << 1;
        if (mods_i[3:0] == 4'd3) d_regs_o = d_regs_o << 1;
        if (mods_i[3:0] == 4'd5) d_regs_o = d_regs_o << 1;
        is_load_o = 1'b1;
        is_atomic_o = 1'b1;
        is_smem_o = 1'b1;
      end
      sm_isa_pkg::OpRED: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hff00) == 16'd0 && (mods_i[3:0] != 4'd11 && mods_i[3:0] != 4'd12 && mods_i[3:0] != 4'd13 && mods_i[3:0] != 4'd14 && mods_i[3:0] != 4'd15) && (mods_i[7:4] != 4'd10 && mods_i[7:4] != 4'd11 && mods_i[7:4] != 4'd12 && mods_i[7:4] != 4'd13 && mods_i[7:4] != 4'd14 && mods_i[7:4] != 4'd15);
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        a_regs_o = a_regs_o << 1;
        c_regs_o = 3'd1;
        if (mods_i[3:0] == 4'd2) c_regs_o = c_regs_o << 1;
        if (mods_i[3:0] == 4'd3) c_regs_o = c_regs_o << 1;
        if (mods_i[3:0] == 4'd5) c_regs_o = c_regs_o << 1;
        if (mods_i[7:4] == 4'd9) c_regs_o = c_regs_o << 1;
        is_store_o = 1'b1;
        is_atomic_o = 1'b1;
      end
      sm_isa_pkg::OpLDSM: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfff8) == 16'd0 && (mods_i[1:0] != 2'd3);
        pipe_o = sm_isa_pkg::PipeLSU;
        a_regs_o = 3'd1;
        d_regs_o = 3'd1;
        if (mods_i[1:0] == 2'd1) d_regs_o = d_regs_o << 1;
        if (mods_i[1:0] == 2'd2) d_regs_o = d_regs_o << 2;
        is_load_o = 1'b1;
        is_smem_o = 1'b1;
      end
      sm_isa_pkg::OpMEMBAR: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfffc) == 16'd0 && (mods_i[1:0] != 2'd3);
        pipe_o = sm_isa_pkg::PipeLSU;
      end
      sm_isa_pkg::OpCCTL: begin
        defined_o = form_i == sm_isa_pkg::FormReg && (mods_i & 16'hfffe) == 16'd0 && (mods_i[0:0] == 1'd0);
        pipe_o = sm_isa_pkg::PipeLSU;
      end
      default: ;
    endcase
  end

endmodule
