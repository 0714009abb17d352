# SPDX-License-Identifier: Apache-2.0
#
# GTKWave views, run by `gtkwave -S`. Environment: WG_VIEW (fetch, sched, mem, barrier), WG_FILTERS (isa/gen/gtkwave),
# WG_SUB (sub-core to show, default 0), WG_PNG_READY (file to create when the view stands).
# A view is a list of {heading} or {signal format [filter]}; names are below the SM's top. waves/check_views.sh checks that each
# signal exists in an FST.
set top "sm.sm_top."
set sub [expr {[info exists ::env(WG_SUB)] ? $::env(WG_SUB) : 0}]
set s "gen_sub\[$sub\].u_sub."
set views [dict create \
  fetch [list \
    {{Fetch}} \
    "${s}u_fetch.push_valid_o bin" "${s}u_fetch.push_slot_o hex" "${s}u_fetch.push_two_o bin" \
    "${s}ifreq_valid_o bin" "${s}ifreq_pc_o hex" "iffill_valid bin" "iffill_line hex" \
    {{Issue}} "${s}iss bin" "${s}iss_slot hex" "${s}iss_pc hex" "${s}insn.op hex opcode" "${s}redirect bin" \
    {{Memory port}} "req_valid_o bin" "req_op_o hex memop" "req_line_o hex" "rsp0_valid_i bin" "rsp0_id_i hex"] \
  sched [list \
    {{Scheduler}} \
    "${s}valid bin" "${s}eligible bin" "${s}iss bin" "${s}iss_slot hex" "${s}iss_pc hex" "${s}insn.op hex opcode" \
    "${s}iss_mask hex" "${s}exec hex" "slot_reason_o hex reason" \
    {{Divergence}} "${s}branching bin" "${s}redirect bin" "${s}redirect_pc hex" \
    {{Results}} "${s}ires_valid bin" "${s}fres_valid bin" "${s}v_we bin" "${s}v_rd hex" \
    {{Collectors}} "${s}coll_valid bin" "${s}coll_unread bin"] \
  mem [list \
    {{To the LSU}} \
    "mem_valid bin" "mem_ready bin" "${s}mem_uop_o.op hex opcode" "${s}mem_mask_o hex" \
    {{From memory}} "wb_valid bin" "wb_ready bin" "${s}wb_rd_i hex" "${s}wb_mask_i hex" \
    {{Memory port}} "req_valid_o bin" "req_op_o hex memop" "req_id_o hex" "req_line_o hex" "req_sector_mask_o bin" \
    "req_byte_mask_o hex" "req_credit_i hex" "rsp0_valid_i bin" "rsp0_id_i hex" "rsp0_sector_i hex"] \
  barrier [list \
    {{Arrivals}} \
    "bar_valid bin" "bar_ready bin" "u_barrier.take bin" "u_barrier.block hex" "u_barrier.req.warp hex" \
    "u_barrier.req.id hex" \
    {{Barrier}} "u_barrier.part hex" "u_barrier.arrived hex" "u_barrier.waiting hex" "u_barrier.full bin" \
    "u_barrier.release_en bin" "bar_release bin" \
    {{Warps}} "${s}valid bin" "${s}run bin" "${s}at_barrier bin" "${s}done bin" "${s}iss bin" "${s}iss_slot hex" \
    "${s}insn.op hex opcode" \
    {{Blocks}} "init_valid bin" "init.block hex" "init.warp hex" "free_valid bin" "free_block hex"]]

proc full_name {name} {
  # a vector's facility ends in its range: find it once
  global facs
  if {[info exists facs($name)]} { return $facs($name) }
  return ""
}
set n [gtkwave::getNumFacs]
for {set i 0} {$i < $n} {incr i} {
  set f [gtkwave::getFacName $i]
  set plain [regsub {\[[0-9]+(:[0-9]+)?\]$} $f ""]
  set facs($plain) $f
}
set view [expr {[info exists ::env(WG_VIEW)] ? $::env(WG_VIEW) : "sched"}]
set missing {}
gtkwave::addSignalsFromList [list "sm.clk_i"]
gtkwave::/Edit/UnHighlight_All
foreach row [dict get $views $view] {
  if {[llength $row] == 1} {
    gtkwave::/Edit/Insert_Comment [lindex $row 0]
    continue
  }
  lassign $row name format filter
  set f [full_name "$top$name"]
  if {$f eq ""} { lappend missing $name; continue }
  gtkwave::addSignalsFromList [list $f]
  gtkwave::/Edit/UnHighlight_All
  gtkwave::highlightSignalsFromList [list $f]
  gtkwave::/Edit/Data_Format/[expr {$format eq "bin" ? "Binary" : "Hex"}]
  if {$filter ne ""} {
    set which [gtkwave::setCurrentTranslateFile $::env(WG_FILTERS)/$filter.txt]
    gtkwave::installFileFilter $which
  }
  gtkwave::/Edit/UnHighlight_All
}
if {[llength $missing] > 0} { puts stderr "view '$view': not in this file: [join $missing {, }]" }
gtkwave::/Time/Zoom/Zoom_Full
if {[info exists ::env(WG_PNG_READY)]} {
  set out [open $::env(WG_PNG_READY) w]
  if {[llength $missing] > 0} { puts $out [join $missing "\n"] }
  close $out
}
