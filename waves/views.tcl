# SPDX-License-Identifier: Apache-2.0
#
# GTKWave views, run by `gtkwave -S`. Environment: WG_VIEW (a name of `views`), WG_FILTERS (isa/gen/gtkwave),
# WG_SUB (sub-core to show, default 0), WG_MARK (SM cycle to put the marker on), WG_PNG_READY (file to create when the view
# stands).
# A view is a list of {heading} or {signal format label [filter]}; names are below the SM's top, labels say what the signal
# means. waves/README.md explains the terms. A name with "?" before it is left out where the SM has no such part. The filter mask8
# is made here: values up to ff as eight binary digits, one a warp of a block.
set top "sm.sm_top."
set sub [expr {[info exists ::env(WG_SUB)] ? $::env(WG_SUB) : 0}]
set s "gen_sub\[$sub\].u_sub."
set port [list \
  {{Memory port: requests}} \
  "req_valid_o bin {request leaves}" "req_op_o hex operation memop" "req_id_o hex id" "req_line_o hex {line address}" \
  "req_sector_mask_o bin sectors" "req_byte_mask_o hex {bytes of a store}" "req_credit_i hex {credits back}" \
  {{Memory port: responses}} "rsp0_valid_i bin {response arrives}" "rsp0_id_i hex id" "rsp0_sector_i hex sector"]
set issue [list \
  "${s}iss bin {an instruction issues}" "${s}iss_slot hex {warp slot picked}" "${s}iss_pc hex pc" \
  "${s}insn.op hex instruction opcode"]
# one row a warp slot; slots that the SM does not have are left out ("?")
set states {}
for {set i 0} {$i < 16} {incr i} { lappend states "?${s}state_q\[$i\] hex {warp slot $i} wstate" }
# who has arrived, over all sub-cores
set subs {}
for {set i 0} {$i < 4} {incr i} {
  set t "gen_sub\[$i\].u_sub."
  lappend subs "?${t}at_barrier bin {at a barrier, sub-core $i}" "?${t}iss bin {sub-core $i issues}" "?${t}iss_slot hex {its warp slot}"
}
set views [dict create \
  arrival [concat [list \
    {{Arrivals: one bit a sub-core}} "bar_valid bin {warp arrives}" "bar_ready bin {taken}" "u_barrier.take bin {looked at}" \
    "u_barrier.req.warp hex {warp of the block}" "u_barrier.req.id hex {barrier id}" \
    {{Masks: one bit a warp of the block}} "u_barrier.part hex expected mask8" "u_barrier.arrived hex arrived mask8" \
    "u_barrier.waiting hex waiting mask8" "u_barrier.full bin {all have arrived}" "u_barrier.release_en bin releases" \
    "bar_release hex {warps woken, by slot}" {{Sub-cores: one bit a warp slot}}] $subs] \
  warps [concat [list {{Issue}}] $issue [list \
    "${s}iss_mask bin {active lanes}" "${s}exec bin {lanes with true guard}" "slot_reason_o hex {why not, one cycle later} reason" \
    {{Divergence}} "${s}branching bin {branch issues}" "${s}redirect bin {fetch goes elsewhere}" "${s}redirect_pc hex {to pc}" \
    {{States of the warps}}] $states] \
  lanes [concat [list {{Issue}}] $issue [list \
    "${s}iss_mask bin {active lanes}" "${s}exec hex {lanes with true guard}" \
    "slot_reason_o hex {why not, one cycle later} reason" \
    {{Divergence}} "${s}branching bin {branch issues, by warp slot}" "${s}redirect bin {fetch goes elsewhere}" \
    "${s}redirect_pc hex {to pc}" \
    "${s}state_q\[0\] hex {warp slot 0} wstate"]] \
  blocks [concat [list \
    {{Launch}} "launch_valid_i bin {a block comes}" "launch_ready_o bin {there is room}" "launch_ctaid_x_i hex {its ctaid.x}" \
    {{Warps are bound}} "init_valid bin {warp starts}" "init.block hex {block slot}" "init.warp hex {warp of the block}" "init.mask bin {its threads}" \
    {{Ends}} "u_cta.exit_valid_i bin {a warp's last lane exits}" "free_valid bin {block ends}" "free_block hex {block slot}" \
    "u_cta.block_valid_o bin {block slots in use}" {{States of the warps}}] $states] \
  fetch [concat [list \
    {{Fetch: into the instruction buffers}} \
    "${s}u_fetch.push_valid_o bin {instruction arrives}" "${s}u_fetch.push_slot_o hex {for warp slot}" \
    "${s}u_fetch.push_two_o bin {two at once}" \
    {{L0I miss: to the L1I}} \
    "${s}ifreq_valid_o bin {line asked for}" "${s}ifreq_pc_o hex {its pc}" "iffill_valid bin {line comes}" \
    "iffill_line hex {its bytes}" \
    {{Issue}}] $issue [list "${s}redirect bin {buffers emptied}"] $port] \
  sched [concat [list \
    {{Choice: one bit a warp slot}} \
    "${s}valid bin {warp present}" "${s}eligible bin {warp could issue}" \
    {{Issue}}] $issue [list \
    "${s}iss_mask hex {active lanes}" "${s}exec hex {lanes with true guard}" "slot_reason_o hex {why not, one cycle later} reason" \
    {{Divergence}} "${s}branching bin {branch issues}" "${s}redirect bin {fetch goes elsewhere}" \
    "${s}redirect_pc hex {to pc}" \
    {{Results written to registers}} "${s}ires_valid bin {of the int pipe}" "${s}fres_valid bin {of the fp32 pipe}" \
    "${s}v_we bin {of variable latency}" "${s}v_rd hex {its register}" \
    {{Operand collectors: one bit each}} "${s}coll_valid bin {in use}" "${s}coll_unread bin {operands to read}"]] \
  mem [concat [list \
    {{To the LSU: one bit a sub-core}} \
    "mem_valid bin {instruction offered}" "mem_ready bin {taken}" "${s}mem_uop_o.op hex instruction opcode" \
    "${s}mem_mask_o hex lanes" \
    {{Back from the LSU: one bit a sub-core}} "wb_valid bin {value offered}" "wb_ready bin {taken}" \
    "${s}wb_rd_i hex register" "${s}wb_mask_i hex lanes"] $port] \
  barrier [list \
    {{Arrivals}} \
    "bar_valid bin {warp arrives}" "bar_ready bin {taken}" "u_barrier.take bin {looked at}" "u_barrier.block hex {block slot}" \
    "u_barrier.req.warp hex {warp of the block}" "u_barrier.req.id hex {barrier id}" \
    {{Barrier}} "u_barrier.part hex {warps expected} mask8" "u_barrier.arrived hex {warps arrived} mask8" \
    "u_barrier.waiting hex {warps waiting} mask8" "u_barrier.full bin {complete}" \
    "u_barrier.release_en bin releases" "bar_release bin {warps released}" \
    {{Warps: one bit a warp slot}} "${s}valid bin present" "${s}run bin running" "${s}at_barrier bin {at a barrier}" \
    "${s}done bin finished" "${s}iss bin {an instruction issues}" "${s}iss_slot hex {warp slot picked}" \
    "${s}insn.op hex instruction opcode" \
    {{Blocks}} "init_valid bin {warp starts}" "init.block hex {block slot}" "init.warp hex {warp of the block}" \
    "free_valid bin {block ends}" "free_block hex {block slot}"]]

proc full_name {name} {
  # a vector's facility ends in its range: find it once. A name that ends in an index has its range behind that.
  global facs exact
  if {[info exists exact($name)]} { return $exact($name) }
  if {[info exists facs($name)]} { return $facs($name) }
  return ""
}
set n [gtkwave::getNumFacs]
for {set i 0} {$i < $n} {incr i} {
  set f [gtkwave::getFacName $i]
  set plain [regsub {\[[0-9]+(:[0-9]+)?\]$} $f ""]
  set facs($plain) $f
  set exact($plain) $f
  if {[regexp {\]\[} $f]} { set exact([regsub {\[[0-9]+:[0-9]+\]$} $f ""]) $f }
}
set view [expr {[info exists ::env(WG_VIEW)] ? $::env(WG_VIEW) : "sched"}]
set missing {}
# the file of a filter; mask8 is written into build/wave, for a picture into a folder of its own
proc filter_file {filter} {
  if {$filter ne "mask8"} { return $::env(WG_FILTERS)/$filter.txt }
  set dir [expr {[info exists ::env(WG_PNG_READY)] ? [file dirname $::env(WG_PNG_READY)] : "$::env(WG_FILTERS)/../../../build/wave"}]
  file mkdir $dir
  set out [open $dir/mask8.txt w]
  for {set i 0} {$i < 256} {incr i} { puts $out [format "%08x %08b" $i $i] }
  close $out
  return $dir/mask8.txt
}
set rows 1
gtkwave::addSignalsFromList [list "sm.clk_i"]
gtkwave::highlightSignalsFromList [list "sm.clk_i"]
gtkwave::/Edit/Alias_Highlighted_Trace "clock: 1 ns is one cycle"
gtkwave::/Edit/UnHighlight_All
foreach row [dict get $views $view] {
  if {[llength $row] == 1} {
    gtkwave::/Edit/Insert_Comment [lindex $row 0]
    incr rows
    continue
  }
  lassign $row name format label filter
  set optional [string match "\\?*" $name]
  if {$optional} { set name [string range $name 1 end] }
  set f [full_name "$top$name"]
  if {$f eq "" && $optional} { continue }
  if {$f eq ""} { lappend missing $name; continue }
  gtkwave::addSignalsFromList [list $f]
  incr rows
  gtkwave::/Edit/UnHighlight_All
  gtkwave::highlightSignalsFromList [list $f]
  gtkwave::/Edit/Data_Format/[expr {$format eq "bin" ? "Binary" : "Hex"}]
  if {$filter ne ""} {
    set which [gtkwave::setCurrentTranslateFile [filter_file $filter]]
    gtkwave::installFileFilter $which
  }
  gtkwave::/Edit/Alias_Highlighted_Trace "$label ([regsub {.*\.} $name {}])"
  gtkwave::/Edit/UnHighlight_All
}
if {[llength $missing] > 0} { puts stderr "view '$view': not in this file: [join $missing {, }]" }
if {[info exists ::env(WG_MARK)]} { gtkwave::setMarker [expr {$::env(WG_MARK) * 1000}] }
gtkwave::/Time/Zoom/Zoom_Full
if {[info exists ::env(WG_PNG_READY)]} {
  # a picture: strip by strip, each until the file that announces it is taken away; in the file the rows to be seen
  set from [gtkwave::getMinTime]
  set to [gtkwave::getMaxTime]
  set strips [expr {[info exists ::env(WG_PNG_STRIPS)] ? $::env(WG_PNG_STRIPS) : 1}]
  for {set i 1} {$i <= $strips} {incr i} {
    set a [expr {$from + ($to - $from) * ($i - 1) / $strips}]
    set b [expr {$from + ($to - $from) * $i / $strips}]
    if {$strips > 1} { gtkwave::setZoomRangeTimes $a $b }
    for {set k 0} {$k < 10} {incr k} { gtkwave::nop; after 30 }
    set out [open $::env(WG_PNG_READY).part w]
    puts $out $rows
    close $out
    file rename $::env(WG_PNG_READY).part $::env(WG_PNG_READY).$i
    while {[file exists $::env(WG_PNG_READY).$i]} { gtkwave::nop; after 20 }
  }
  set out [open $::env(WG_PNG_READY) w]
  if {[llength $missing] > 0} { puts $out [join $missing "\n"] }
  close $out
}
