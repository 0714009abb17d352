# SPDX-License-Identifier: Apache-2.0
# The run-time library and the compiler driver.
RT_SRCS := $(wildcard runtime/rt_*.c)
RT_OBJS := $(patsubst runtime/%.c,$(B)/obj/runtime/%.o,$(RT_SRCS))

.PHONY: runtime
runtime: $(B)/lib/libcudart.so $(B)/bin/wgcc $(B)/bin/warpglass

$(B)/obj/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(CCACHE) $(CC) $(CFLAGS) -fvisibility=hidden -Iruntime/include -MMD -MP -c $< -o $@
# Only the calls of CUDA's run-time API are visible; all of the simulator stays inside.
$(B)/lib/libcudart.so: $(RT_OBJS) $(B)/libwg.a
	@mkdir -p $(@D)
	$(CC) -shared -o $@ $(RT_OBJS) $(B)/libwg.a -Wl,--exclude-libs,ALL -Wl,-z,defs $(LDLIBS)
$(B)/bin/wgcc: runtime/wgcc
	@mkdir -p $(@D)
	install -m 755 $< $@
