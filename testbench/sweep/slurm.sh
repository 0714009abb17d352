#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A Slurm cluster of this host alone: munged, slurmctld and a slurmd for each node, all on the loopback address, without systemd
# and without control groups; its files, its key and its sockets lie in one folder.
#
# usage: slurm.sh start DIR [NODE ...]   start it (nodes: node1 node2); returns when every node takes work
#        slurm.sh node DIR NODE          start the daemon of one node (again)
#        slurm.sh kill DIR NODE          kill -9 the daemon of one node and nothing else
#        slurm.sh lose DIR NODE          kill -9 that daemon and all that runs on the node
#        slurm.sh stop DIR               end all that runs there: jobs, steps, daemons
# The commands of Slurm find it by SLURM_CONF=DIR/slurm.conf. The folder must be readable by all (munge).
set -euo pipefail

die() {
  echo "slurm.sh: error: $1" >&2
  echo "  remedy: $2" >&2
  exit 1
}

usage() { sed -n '6,10s/^# \{0,7\}//p' "$0" >&2; exit 2; }

[ $# -ge 2 ] || usage
word=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
shift 2
export SLURM_CONF=$dir/slurm.conf
for c in munged slurmctld slurmd sinfo scontrol; do
  PATH=$PATH:/usr/sbin command -v $c >/dev/null || die "there is no command '$c'" "scripts/deps.sh cluster"
done
PATH=$PATH:/usr/sbin

# N free ports of the loopback address, a line
free_ports() {
  python3 - "$1" <<'PY'
import socket, sys
held = [socket.socket() for _ in range(int(sys.argv[1]))]
for s in held:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in held))
PY
}

write_conf() {
  local me ports nodes=("$@") i
  me=$(id -un)
  read -ra ports < <(free_ports $((1 + $#)))
  cat >"$SLURM_CONF" <<CONF
ClusterName=warpglass
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmctldPidFile=$dir/slurmctld.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdSpoolDir=$dir/%n
SlurmdPidFile=$dir/%n.pid
SlurmdLogFile=$dir/%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SlurmdTimeout=3
MessageTimeout=2
TCPTimeout=1
KillWait=3
ReturnToService=2
MpiDefault=none
SwitchType=switch/none
CONF
  i=1
  for n in "${nodes[@]}"; do
    echo "NodeName=$n NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=${ports[i]} CPUs=2 RealMemory=500" >>"$SLURM_CONF"
    i=$((i + 1))
  done
  echo "PartitionName=main Nodes=$(IFS=,; echo "${nodes[*]}") Default=YES MaxTime=INFINITE State=UP" >>"$SLURM_CONF"
}

# slurmd's own memory must not end it: one daemon a node, with a spool folder of its own
start_node() {
  mkdir -p "$dir/$1"
  slurmd -N "$1" -f "$SLURM_CONF" </dev/null >>"$dir/$1.out" 2>&1 || die "the daemon of $1 does not start" "see $dir/$1.log"
}

start() {
  local end
  [ $# -gt 0 ] || set -- node1 node2
  [ ! -e "$SLURM_CONF" ] || die "'$dir' has a cluster already" "slurm.sh stop, then another folder"
  mkdir -p "$dir/state"
  chmod 755 "$dir"
  (umask 077 && head -c 1024 /dev/urandom >"$dir/munge.key")
  munged --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" --log-file="$dir/munged.log" \
    --seed-file="$dir/munged.seed" --num-threads=2 2>>"$dir/munged.out" || die "munged does not start: $(tail -n1 "$dir/munged.out")" "see $dir/munged.log"
  write_conf "$@"
  slurmctld -f "$SLURM_CONF" </dev/null >>"$dir/slurmctld.out" 2>&1 || die "slurmctld does not start" "see $dir/slurmctld.log"
  for n in "$@"; do start_node "$n"; done
  end=$((SECONDS + 30))
  until [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c '^idle$')" = $# ]; do
    [ $SECONDS -lt $end ] || die "the nodes are not idle: $(sinfo -h -N -o '%N %T %E' 2>&1 | tr '\n' ' ')" "see $dir/*.log"
    sleep 0.1
  done
}

pid_of() { cat "$dir/$1.pid" 2>/dev/null || true; }

end_pid() { [ -z "$1" ] || kill "-$2" "$1" 2>/dev/null || true; }

# Processes of this cluster that run now: its daemons, and what its jobs started. With a node: those of that node alone.
ours() {
  python3 - "$SLURM_CONF" "${1:-}" <<'PY'
import pathlib, sys
conf, node = sys.argv[1:]
daemons, steps, jobs, where = [], {}, [], {}
for p in pathlib.Path("/proc").glob("[0-9]*"):
    try:
        env = dict(x.split("=", 1) for x in (p / "environ").read_bytes().decode(errors="replace").split("\0") if "=" in x)
        name, stat = (p / "comm").read_text().strip(), (p / "stat").read_text().rsplit(")", 1)[1].split()
        words = (p / "cmdline").read_bytes().decode(errors="replace").split("\0")
    except (OSError, IndexError):
        continue
    if stat[0] == "Z" or env.get("SLURM_CONF") != conf:
        continue
    if name == "slurmstepd":
        steps[p.name] = None
    elif name in ("slurmctld", "slurmscriptd", "slurmd"):
        daemons.append((p.name, next((b for a, b in zip(words, words[1:]) if a == "-N"), "")))
    elif "SLURM_JOB_ID" in env:
        jobs.append((p.name, env.get("SLURMD_NODENAME")))
        where[stat[1]] = env.get("SLURMD_NODENAME")  # its parent, if that is a step
found = daemons + [(p, where.get(p)) for p in steps] + jobs  # a step that outlives its job would tell of its end
print(*(p for p, on in found if not node or on == node), sep="\n")
PY
}

# A machine that loses its power: its daemon first, then all else at once.
lose() {
  local p
  end_pid "$(pid_of "$1")" KILL
  for _ in 1 2; do
    for p in $(ours "$1"); do end_pid "$p" KILL; done
  done
}

stop() {
  local p end
  for p in $(ours); do kill -TERM "$p" 2>/dev/null || true; done
  end=$((SECONDS + 5))
  while [ -n "$(ours)" ] && [ $SECONDS -lt $end ]; do sleep 0.1; done
  for p in $(ours); do kill -KILL "$p" 2>/dev/null || true; done
  end_pid "$(pid_of munged)" TERM
  rm -f "$SLURM_CONF"
}

case $word in
start) start "$@" ;;
node) [ $# = 1 ] || usage; start_node "$1" ;;
lose) [ $# = 1 ] || usage; lose "$1" ;;
kill) [ $# = 1 ] || usage; kill -KILL "$(pid_of "$1")" ;;
stop) stop ;;
*) usage ;;
esac
