# SPDX-License-Identifier: Apache-2.0
# The SystemC top of `backend=systemc`; nothing else links SystemC.
SC_OBJS := $(patsubst %.cc,$(B)/obj/%.o,$(wildcard cosim/systemc/wg_sc_*.cc))

.PHONY: systemc
systemc: deps $(B)/lib/libwgsystemc.so
$(SC_OBJS): CXXFLAGS += -O2 -fPIC
$(B)/lib/libwgsystemc.so: $(SC_OBJS)
	@mkdir -p $(@D)
	$(CXX) -shared -o $@.new $^ -Wl,-Bsymbolic -lsystemc -ldl
	@mv $@.new $@
