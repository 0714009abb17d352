// SPDX-License-Identifier: Apache-2.0
//
// sm_writeback: the V bus of a sub-core: results of memory (first), matrix unit, sfu, cross-lane unit and special registers, one a cycle, written where no
// fixed-latency result takes the bank (and, for a predicate, where the int pipe writes none). Memory beats pass through a
// register: a beat taken in cycle n is written in n+1 at the earliest. A register is released with its write.
// rd = 255 (RZ): nothing is written. Outputs are functions of flops, f_* and rsp inputs. Reset: empty.
module sm_writeback #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic init_valid_i,
    input  logic [SlotBits-1:0] init_slot_i,
    input  logic [10:0] init_base_i,

    // banks that a fixed-latency result takes in this cycle, and the predicate file
    input  logic [3:0] f_bank_i,
    input  logic f_pred_i,

    // from sm_mem
    input  logic wb_valid_i,
    output logic wb_ready_o,
    input  logic [3:0] wb_slot_i,
    input  logic [7:0] wb_rd_i,
    input  logic wb_wide_i,
    input  logic [31:0] wb_mask_i,
    input  logic [2047:0] wb_data_i,
    input  logic wb_last_i,
    input  logic wb_pvalid_i,
    input  logic [2:0] wb_pd_i,
    input  logic [31:0] wb_pbits_i,
    // from sm_sfu, sm_sreg
    input  logic sfu_valid_i,
    output logic sfu_ready_o,
    input  logic [3:0] sfu_slot_i,
    input  logic [7:0] sfu_rd_i,
    input  logic sfu_wide_i,
    input  logic [31:0] sfu_mask_i,
    input  logic [1023:0] sfu_data_i,
    input  logic [1023:0] sfu_data_hi_i,   // row rd+1 of a wide result
    input  logic sreg_valid_i,
    output logic sreg_ready_o,
    input  logic [3:0] sreg_slot_i,
    input  logic [7:0] sreg_rd_i,
    input  logic [31:0] sreg_mask_i,
    input  logic [1023:0] sreg_data_i,

    // from sm_mma: row rd, then rd+1
    input  logic mma_valid_i,
    input  logic mma_last_i,
    output logic mma_ready_o,
    input  logic [3:0] mma_slot_i,
    input  logic [7:0] mma_rd_i,
    input  logic [31:0] mma_mask_i,
    input  logic [2047:0] mma_data_i,
    // from sm_xlane: with a predicate
    input  logic xl_valid_i,
    output logic xl_ready_o,
    input  logic [3:0] xl_slot_i,
    input  logic [7:0] xl_rd_i,
    input  logic [31:0] xl_mask_i,
    input  logic [1023:0] xl_data_i,
    input  logic xl_pvalid_i,
    input  logic [2:0] xl_pd_i,
    input  logic [31:0] xl_pbits_i,

    // to the banks
    output logic v_we_o,
    output logic v_wide_o,
    output logic [3:0] v_slot_o,
    output logic [7:0] v_rd_o,
    output logic [10:0] v_row_o,
    output logic [31:0] v_mask_o,
    output logic [1023:0] v_lo_o,
    output logic [1023:0] v_hi_o,
    // to the predicate file
    output logic vp_we_o,
    output logic [2:0] vp_pd_o,
    output logic [31:0] vp_bits_o,
    // the write of this cycle is its instruction's last; an instruction of the memory pipe is complete
    output logic v_done_o,
    output logic load_done_o,
    output logic busy_o
);
  logic [10:0] base_q [WarpSlots];

  // ---- memory beat register ----
  logic          m_valid_q, m_wide_q, m_last_q, m_pvalid_q, m_go;
  logic [3:0]    m_slot_q;
  logic [7:0]    m_rd_q;
  logic [2:0]    m_pd_q;
  logic [31:0]   m_mask_q, m_pbits_q;
  logic [1023:0] m_lo_q, m_hi_q;
  assign wb_ready_o = !m_valid_q || m_go;
  always_ff @(posedge clk_i) begin
    if (init_valid_i) base_q[init_slot_i] <= init_base_i;
    if (wb_ready_o) m_valid_q <= wb_valid_i;
    if (wb_valid_i && wb_ready_o) begin
      m_slot_q <= wb_slot_i;
      m_rd_q <= wb_rd_i;
      m_wide_q <= wb_wide_i;
      m_mask_q <= wb_mask_i;
      m_last_q <= wb_last_i;
      m_pvalid_q <= wb_pvalid_i && wb_pd_i != 3'd7;
      m_pd_q <= wb_pd_i;
      m_pbits_q <= wb_pbits_i;
      m_lo_q <= wb_data_i[1023:0];
      if (wb_wide_i) m_hi_q <= wb_data_i[2047:1024];
    end
    if (!rst_ni) m_valid_q <= 1'b0;
  end

  // ---- arbitration ----
  logic [10:0] m_row, sfu_row, sreg_row, xl_row, mma_row;
  logic        m_clash, sfu_go, sreg_go, xl_go, mma_go;
  assign m_row = base_q[m_slot_q[SlotBits-1:0]] + 11'(m_rd_q);
  assign sfu_row = base_q[sfu_slot_i[SlotBits-1:0]] + 11'(sfu_rd_i);
  assign sreg_row = base_q[sreg_slot_i[SlotBits-1:0]] + 11'(sreg_rd_i);
  assign mma_row = base_q[mma_slot_i[SlotBits-1:0]] + 11'(mma_rd_i);
  assign xl_row = base_q[xl_slot_i[SlotBits-1:0]] + 11'(xl_rd_i);
  assign m_clash = (m_rd_q != 8'd255 && (((m_wide_q ? 4'b0011 : 4'b0001) << m_row[1:0]) & f_bank_i) != '0) || (m_pvalid_q && f_pred_i);
  assign m_go = m_valid_q && !m_clash;
  assign mma_go = mma_valid_i && !m_go && (mma_rd_i == 8'd255 || ((4'b0011 << mma_row[1:0]) & f_bank_i) == '0);
  assign sfu_go = sfu_valid_i && !m_go && !mma_go && (((sfu_wide_i ? 4'b0011 : 4'b0001) << sfu_row[1:0]) & f_bank_i) == '0;
  assign xl_go = xl_valid_i && !m_go && !mma_go && !sfu_go && (xl_rd_i == 8'd255 || !f_bank_i[xl_row[1:0]]) && !(xl_pvalid_i && f_pred_i);
  assign sreg_go = sreg_valid_i && !m_go && !mma_go && !sfu_go && !xl_go && !f_bank_i[sreg_row[1:0]];
  assign sfu_ready_o = sfu_go;
  assign sreg_ready_o = sreg_go;
  assign xl_ready_o = xl_go;
  assign mma_ready_o = mma_go;

  always_comb begin
    v_we_o = 1'b0;
    v_wide_o = 1'b0;
    v_slot_o = m_slot_q;
    v_rd_o = m_rd_q;
    v_row_o = m_row;
    v_mask_o = m_mask_q;
    v_lo_o = '0;
    v_hi_o = '0;
    if (m_go) begin
      v_we_o = m_rd_q != 8'd255;
      v_wide_o = m_wide_q;
      v_lo_o = m_lo_q;
      if (m_wide_q) v_hi_o = m_hi_q;
    end else if (mma_go) begin
      v_we_o = mma_rd_i != 8'd255;
      v_wide_o = 1'b1;
      v_slot_o = mma_slot_i;
      v_rd_o = mma_rd_i;
      v_row_o = mma_row;
      v_mask_o = mma_mask_i;
      v_lo_o = mma_data_i[1023:0];
      v_hi_o = mma_data_i[2047:1024];
    end else if (sfu_go) begin
      v_we_o = sfu_rd_i != 8'd255;
      v_slot_o = sfu_slot_i;
      v_rd_o = sfu_rd_i;
      v_row_o = sfu_row;
      v_mask_o = sfu_mask_i;
      v_wide_o = sfu_wide_i;
      v_lo_o = sfu_data_i;
      if (sfu_wide_i) v_hi_o = sfu_data_hi_i;
    end else if (xl_go) begin
      v_we_o = xl_rd_i != 8'd255;
      v_slot_o = xl_slot_i;
      v_rd_o = xl_rd_i;
      v_row_o = xl_row;
      v_mask_o = xl_mask_i;
      v_lo_o = xl_data_i;
    end else if (sreg_go) begin
      v_we_o = sreg_rd_i != 8'd255;
      v_slot_o = sreg_slot_i;
      v_rd_o = sreg_rd_i;
      v_row_o = sreg_row;
      v_mask_o = sreg_mask_i;
      v_lo_o = sreg_data_i;
    end
  end
  assign vp_we_o = (m_go && m_pvalid_q) || (xl_go && xl_pvalid_i);
  assign vp_pd_o = xl_go ? xl_pd_i : m_pd_q;
  assign vp_bits_o = xl_go ? xl_pbits_i : m_pbits_q;
  assign v_done_o = (m_go && m_last_q) || (mma_go && mma_last_i) || sfu_go || xl_go || sreg_go;
  assign load_done_o = m_go && m_last_q;
  assign busy_o = m_valid_q;
endmodule
