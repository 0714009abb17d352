#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Some "machines" of this host that ssh reaches: an sshd each, on the loopback address with a free port and a key of its own;
# nothing of the user's ssh is read or written.
#
# usage: sshd.sh start DIR [NAME ...]   start them (names: node1 node2); returns when each can be reached
#        sshd.sh lose DIR NAME          kill -9 the daemon of one and all that runs there
#        sshd.sh stop DIR               end all of them
# DIR/ssh is the command that reaches them: DIR/ssh node1 true (for GNU parallel: PARALLEL_SSH=DIR/ssh).
set -euo pipefail

die() {
  echo "sshd.sh: error: $1" >&2
  echo "  remedy: $2" >&2
  exit 1
}

usage() { sed -n '6,8s/^# \{0,7\}//p' "$0" >&2; exit 2; }

[ $# -ge 2 ] || usage
word=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
shift 2
sshd=$(PATH=$PATH:/usr/sbin command -v sshd) || die "there is no command 'sshd'" "scripts/deps.sh cluster"

start_one() {
  local port
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  cat >"$dir/$1.sshd" <<CONF
ListenAddress 127.0.0.1:$port
HostKey $dir/host_key
PidFile $dir/$1.pid
AuthorizedKeysFile $dir/key.pub
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
PermitRootLogin prohibit-password
MaxStartups 100:30:200
CONF
  cat >>"$dir/ssh_config" <<CONF
Host $1
  HostName 127.0.0.1
  Port $port
CONF
  "$sshd" -f "$dir/$1.sshd" -E "$dir/$1.log" || die "the sshd of $1 does not start" "see $dir/$1.log"
}

start() {
  local n i
  [ $# -gt 0 ] || set -- node1 node2
  [ ! -e "$dir/ssh" ] || die "'$dir' has machines already" "sshd.sh stop, then another folder"
  [ "$(id -u)" != 0 ] || mkdir -p /run/sshd # a folder that sshd of root insists on
  ssh-keygen -q -t ed25519 -N '' -f "$dir/key"
  ssh-keygen -q -t ed25519 -N '' -f "$dir/host_key"
  : >"$dir/ssh_config"
  for n in "$@"; do start_one "$n"; done
  cat >>"$dir/ssh_config" <<CONF
Host *
  IdentityFile $dir/key
  IdentitiesOnly yes
  BatchMode yes
  ConnectTimeout 5
  LogLevel ERROR
  UserKnownHostsFile $dir/known_hosts
  StrictHostKeyChecking no
CONF
  printf '#!/bin/sh\nexec ssh -F "%s/ssh_config" "$@"\n' "$dir" >"$dir/ssh"
  chmod +x "$dir/ssh"
  for n in "$@"; do
    for i in $(seq 50); do
      ! "$dir/ssh" "$n" true 2>>"$dir/$n.out" || break
      [ "$i" != 50 ] || die "$n cannot be reached: $(tail -n1 "$dir/$n.out")" "see $dir/$n.log"
      sleep 0.1
    done
  done
}

# Processes of one machine: its daemon and that one's children, and whatever was started over its port.
ours() {
  python3 - "$dir/$1.pid" "$(sed -n 's/^ListenAddress .*://p' "$dir/$1.sshd")" <<'PY'
import os, pathlib, sys
root, port = sys.argv[1:]
root = open(root).read().strip() if os.path.exists(root) else ""
parent, found = {}, set()
for p in pathlib.Path("/proc").glob("[0-9]*"):
    try:
        parent[p.name] = (p / "stat").read_text().rsplit(")", 1)[1].split()[1]
        words = (p / "environ").read_bytes().split(b"\0")
        if any(x.startswith(b"SSH_CONNECTION=") and x.endswith(f" 127.0.0.1 {port}".encode()) for x in words):
            found.add(p.name)
    except OSError:
        pass
for p in parent:
    at = p
    while at in parent and at != root:
        at = parent[at]
    if root and at == root:
        found.add(p)
print(*sorted(found, key=lambda p: p != root), sep="\n")
PY
}

lose() {
  local p
  for _ in 1 2; do
    for p in $(ours "$1"); do kill -KILL "$p" 2>/dev/null || true; done
  done
  rm -f "$dir/$1.pid"
}

case $word in
start) start "$@" ;;
lose) [ $# = 1 ] || usage; lose "$1" ;;
stop)
  for f in "$dir"/*.sshd; do lose "$(basename "$f" .sshd)"; done
  rm -f "$dir/ssh" "$dir/key" "$dir/host_key"
  ;;
*) usage ;;
esac
