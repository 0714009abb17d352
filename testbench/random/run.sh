#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Random programs on the RTL: a sample for SEED, with TEST_ALL=1 more of everything and the preset v100.
# Seeds of different SEED do not overlap. Exit code: 0 if every call passed.
set -uo pipefail
cd "$(dirname "$0")/../.."
base=$((${SEED:-1} * 1000000))
make -s build/bin/wgrandom && make -s sm SHAPE=tiny VARIANT=fast || exit 1
rc=0
run() { # count mix [further arguments]
  local count=$1 mix=$2
  shift 2
  echo "--- $mix, $count programs from seed $base $*"
  build/bin/wgrandom --seed "$base" --count "$count" --mix "$mix" --both-scheds --max-failures 3 "$@" || rc=1
  base=$((base + count))
}
times=1
[ "${TEST_ALL:-0}" = 1 ] && times=10
run $((250 * times)) all
for mix in alu mem flow bar fault; do run $((60 * times)) "$mix"; done
for split in h200 alternate random; do run $((40 * times)) flow -s "preset=tiny check=units diverge=its split=$split"; done
base=22 run 1 flow -s "preset=tiny check=units diverge=its split=random"   # a sleep that ends while another lane's begins
run $((60 * times)) all -s "preset=tiny check=units dep=control-bits"
run $((30 * times)) flow -s "preset=tiny check=units dep=control-bits diverge=its split=random"
if [ "${TEST_ALL:-0}" = 1 ]; then
  make -s sm SHAPE=sm16 VARIANT=fast || exit 1
  run 60 all -s "preset=v100 check=units"
  run 20 mem -s "preset=v100 check=units"
  run 40 all -s "preset=v100 check=units dep=control-bits"
fi
exit $rc
