rtl/pkg/sm_cfg_pkg.sv
rtl/pkg/sm_isa_pkg.sv
rtl/pkg/sm_pkg.sv
