// SPDX-License-Identifier: Apache-2.0
//
// gdb's remote serial protocol for one warp: its lanes are gdb's threads, lane l is thread l + 1. A 64-bit RISC-V program carries it
// (debug_elf.h): x0 is 0, x1 to x31 are R0 to R30, wider registers and the warp's state follow behind pc. Addresses are generic ones:
// upper word 0 code, 1 shared memory, 2 the lane's local memory, else device memory. gdb reads and steers; it writes nothing.
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "cosim/debug/debug_elf.h"
#include "cosim/debug/debug_int.h"
#include "cosim/debug/rsp.h"

enum {
  kXRegs = 32,
  kPc = kXRegs,                          /* register numbers */
  kPred = kPc + 1,                       /* pred: bit i = the lane's Pi */
  kMask,                                 /* mask: running lanes */
  kLane,                                 /* the thread's lane */
  kFirstWide,                            /* r31 and more, as many as the kernels have */
  kMaxWides = 255 - 31,
  kLookEvery = 256                       /* cycles between two looks at the socket */
};

typedef struct wg_gdb {
  int listener, peer; /* -1: none */
  char path[108];     /* of a Unix socket; "": TCP */
  char *elf;
  rsp_reader_t in;
  rsp_reply_t out;
  char last[kRspMax + 5]; /* the last frame, to be sent again */
  size_t last_n;
  bool no_ack, lost, stepping;
  uint32_t step_thread; /* lane that the last resume stepped */
  unsigned until_look;
  char xml[12000];
  unsigned regs;  /* that gdb knows */
  size_t modules; /* that the companion ELF holds */
} wg_gdb_t;

/* ---- the socket ---- */

static void send_bytes(wg_gdb_t *g, const char *p, size_t n) {
  while (n != 0 && !g->lost) {
    ssize_t k = send(g->peer, p, n, MSG_NOSIGNAL);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) {
      g->lost = true;
      return;
    }
    p += k;
    n -= (size_t)k;
  }
}

static void reply(wg_gdb_t *g) {
  g->last_n = rsp_frame(&g->out, g->last);
  send_bytes(g, g->last, g->last_n);
}

static void say(wg_gdb_t *g, const char *text) {
  rsp_start(&g->out);
  rsp_text(&g->out, "%s", text);
  reply(g);
}

/* The next packet. @return false: gdb has gone */
static bool receive(wg_gdb_t *g) {
  for (;;) {
    uint8_t byte = 0;
    ssize_t k = g->lost ? 0 : recv(g->peer, &byte, 1, 0);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    switch (rsp_feed(&g->in, byte)) {
      case kRspPacket:
        if (!g->no_ack) send_bytes(g, "+", 1);
        return true;
      case kRspBad: send_bytes(g, "-", 1); break;
      case kRspNack: send_bytes(g, g->last, g->last_n); break;
      default: break;
    }
  }
}

static bool interrupted(wg_debug_t *d) {
  wg_gdb_t *g = d->gdb;
  uint8_t byte = 0;
  if (g->peer < 0 || g->until_look-- != 0) return false;
  g->until_look = kLookEvery;
  ssize_t k = recv(g->peer, &byte, 1, MSG_DONTWAIT);
  if (k == 0) {
    fprintf(stderr, "warpglass: gdb has gone: the run goes on without it\n");
    dbg_detach(d);
  }
  return k == 1 && rsp_feed(&g->in, byte) == kRspInterrupt;
}

/* ---- what the stub tells of itself ---- */

static void make_xml(wg_debug_t *d) {
  wg_gdb_t *g = d->gdb;
  uint64_t code = 0;
  unsigned most = 31;
  const wg_obj_t *o = NULL;
  for (size_t i = 0; (o = d->t.module(d->t.ctx, i, &code)) != NULL; i++) {
    for (size_t k = 0; k < o->num_kernels; k++) most = o->kernels[k].regs > most ? o->kernels[k].regs : most;
  }
  unsigned wides = most - 31u < (unsigned)kMaxWides ? most - 31u : (unsigned)kMaxWides;
  g->regs = kFirstWide + wides;
  FILE *f = fmemopen(g->xml, sizeof g->xml, "w");
  WG_BUG(f == NULL);
  fprintf(f, "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\"><architecture>riscv:rv64</architecture>"
             "<osabi>none</osabi>" /* else gdb takes Linux, and steps by breakpoints behind what it reads as RISC-V instructions */
             "<feature name=\"org.gnu.gdb.riscv.cpu\">");
  for (unsigned i = 0; i < (unsigned)kXRegs; i++) fprintf(f, "<reg name=\"x%u\" bitsize=\"64\" type=\"uint64\"/>", i);
  fprintf(f, "<reg name=\"pc\" bitsize=\"64\" type=\"code_ptr\"/></feature><feature name=\"org.warpglass.warp\">");
  fprintf(f, "<reg name=\"pred\" bitsize=\"32\" group=\"warp\"/><reg name=\"mask\" bitsize=\"32\" group=\"warp\"/>"
             "<reg name=\"lane\" bitsize=\"32\" group=\"warp\"/>");
  for (unsigned i = 0; i < wides; i++) fprintf(f, "<reg name=\"r%u\" bitsize=\"32\" group=\"warp\"/>", 31 + i);
  fprintf(f, "</feature></target>");
  bool whole = ftell(f) < (long)sizeof g->xml - 1;
  WG_BUG(fclose(f) != 0 || !whole);
}

/* A piece of a text for qXfer: "offset,length". */
static void transfer(wg_gdb_t *g, const char *text, const char *at) {
  uint64_t offset = 0, length = 0;
  size_t n = strlen(text);
  if (!rsp_number(&at, &offset) || *at++ != ',' || !rsp_number(&at, &length) || offset > n) {
    say(g, "E01");
    return;
  }
  size_t piece = n - (size_t)offset, room = kRspMax / 4;
  bool more = piece > length || piece > room;
  if (piece > length) piece = (size_t)length;
  if (piece > room) piece = room;
  rsp_start(&g->out);
  rsp_text(&g->out, "%c", more ? 'm' : 'l');
  rsp_binary(&g->out, text + offset, piece);
  reply(g);
}

/* ---- registers, memory ---- */

static size_t module_of(const wg_debug_t *d, uint64_t code_base) {
  uint64_t base = 0;
  for (size_t i = 0;; i++) {
    if (d->t.module(d->t.ctx, i, &base) == NULL || base == code_base) return i;
  }
}

static uint64_t code_address(const wg_debug_t *d, const wg_warp_view_t *v, uint32_t pc) {
  return (uint64_t)module_of(d, v->w->cta->code_base) << kWgPcBits | pc;
}

static void put_reg(wg_debug_t *d, rsp_reply_t *p, const wg_warp_view_t *v, unsigned r) {
  uint64_t value = 0;
  const char *state = "";
  unsigned lane = d->sel.lane, reg = r <= (unsigned)kXRegs ? r - 1u : r - (unsigned)kFirstWide + 31u;
  bool wide = r <= (unsigned)kPc, known = true;
  if (r == (unsigned)kPc) value = code_address(d, v, dbg_lane_pc(&v->w->div, lane, &state));
  else if (r == (unsigned)kMask) value = v->w->div.mask;
  else if (r == (unsigned)kLane) value = lane;
  else if (r == (unsigned)kPred) {
    for (unsigned i = 0; i < 7u; i++) value |= (uint64_t)(v->w->pred[i] >> lane & 1u) << i;
  } else if (r != 0) {
    known = reg < v->w->num_regs && (v->reg_known == NULL || (v->reg_known[reg] >> lane & 1u) != 0u);
    if (known) value = v->w->reg[reg][lane];
  }
  if (known) rsp_hex(p, &value, wide ? 8 : 4); /* the host is little endian, as the target */
  else rsp_text(p, wide ? "xxxxxxxxxxxxxxxx" : "xxxxxxxx");
}

/* One byte of code; false: none there. */
static bool code_byte(const wg_debug_t *d, uint64_t addr, uint8_t *out) {
  uint64_t base = 0, pc = addr & ((UINT64_C(1) << kWgPcBits) - 1);
  const wg_obj_t *o = d->t.module(d->t.ctx, (size_t)(addr >> kWgPcBits), &base);
  for (size_t k = 0; o != NULL && k < o->num_kernels; k++) {
    uint64_t from = wg_obj_kernel_pc(o, k);
    if (pc < from || pc >= from + o->kernels[k].num_insns * (uint64_t)kWgInsnBytes) continue;
    const wg_word_t *w = &o->kernels[k].code[(pc - from) / kWgInsnBytes];
    unsigned i = (unsigned)(pc % kWgInsnBytes);
    *out = (uint8_t)((i < 8 ? w->lo : w->hi) >> 8 * (i % 8));
    return true;
  }
  return false;
}

static void read_memory(wg_debug_t *d, const wg_warp_view_t *v, const char *at) {
  wg_gdb_t *g = d->gdb;
  uint64_t addr = 0, n = 0;
  if (!rsp_number(&at, &addr) || *at++ != ',' || !rsp_number(&at, &n) || *at != '\0') {
    say(g, "E01");
    return;
  }
  if (n > (uint64_t)kRspMax / 2) n = kRspMax / 2;
  rsp_start(&g->out);
  for (uint64_t i = 0; i < n; i++) {
    uint8_t byte = 0;
    if (!(addr + i < UINT64_C(1) << 32 ? code_byte(d, addr + i, &byte) : dbg_read(d, v, addr + i, &byte, 1))) break;
    rsp_hex(&g->out, &byte, 1);
  }
  if (g->out.n == 0 && n != 0) rsp_text(&g->out, "E0e");
  reply(g);
}

/* ---- threads ---- */

static bool lane_lives(const wg_warp_view_t *v, unsigned lane) {
  const char *state = "";
  if (lane >= 32u || (v->w->present >> lane & 1u) == 0u) return false;
  (void)dbg_lane_pc(&v->w->div, lane, &state);
  return strcmp(state, "exited") != 0;
}

/* A lane that lives: the selected one, else the lowest. */
static void live_lane(wg_debug_t *d, const wg_warp_view_t *v) {
  for (unsigned l = 0; !lane_lives(v, d->sel.lane) && l < 32u; l++) {
    if (lane_lives(v, l)) d->sel.lane = l;
  }
}

static void list_threads(wg_debug_t *d, const wg_warp_view_t *v) {
  wg_gdb_t *g = d->gdb;
  rsp_start(&g->out);
  for (unsigned l = 0; l < 32u; l++) {
    if (lane_lives(v, l)) rsp_text(&g->out, "%s%x", g->out.n == 0 ? "m" : ",", l + 1u);
  }
  if (g->out.n == 0) rsp_text(&g->out, "l");
  reply(g);
}

static void thread_info(wg_debug_t *d, const wg_warp_view_t *v, const char *at) {
  wg_gdb_t *g = d->gdb;
  char text[160];
  const char *state = "";
  uint64_t t = 0;
  if (!rsp_number(&at, &t) || t == 0 || !lane_lives(v, (unsigned)(t - 1))) {
    say(g, "E01");
    return;
  }
  const uint32_t *c = v->w->cta->ctaid;
  (void)dbg_lane_pc(&v->w->div, (unsigned)(t - 1), &state);
  snprintf(text, sizeof text, "block (%u,%u,%u) warp %u lane %u: %s", c[0], c[1], c[2], v->w->warp, (unsigned)(t - 1), state);
  rsp_start(&g->out);
  rsp_hex(&g->out, text, strlen(text));
  reply(g);
}

/* "Hg5": threads 0 and -1 are any. */
static void choose_thread(wg_debug_t *d, const wg_warp_view_t *v, const char *at) {
  uint64_t t = 0;
  at++;
  if (*at != '-' && (!rsp_number(&at, &t) || (t != 0 && !lane_lives(v, (unsigned)(t - 1))))) {
    say(d->gdb, "E01");
    return;
  }
  if (t != 0) d->sel.lane = (uint32_t)(t - 1);
  say(d->gdb, "OK");
}

/* @param there false: no warp is left, so that gdb's program has ended with the signal */
static void stop_reply(wg_debug_t *d, bool there) {
  wg_gdb_t *g = d->gdb;
  unsigned signal = d->stop_kind == kWgWhenFault ? 11 : d->stop_kind == kWgWhenMismatch || d->stop_kind == kWgWhenHang ? 6 : 5;
  if (strncmp(d->why, "interrupted", 11) == 0) signal = 2;
  rsp_start(&g->out);
  if (there) rsp_text(&g->out, "T%02xthread:%x;", signal, d->sel.lane + 1u);
  else rsp_text(&g->out, "X%02x", signal);
  reply(g);
}

/* ---- commands ---- */

static void monitor(wg_debug_t *d, const char *hex) {
  wg_gdb_t *g = d->gdb;
  char line[512], *text = NULL;
  size_t n = 0, len = rsp_unhex(hex, line, sizeof line - 1);
  line[len] = '\0';
  FILE *out = d->out, *memory = open_memstream(&text, &n);
  WG_BUG(memory == NULL);
  d->out = memory;
  d->only_looks = true;
  (void)dbg_command(d, line);
  d->only_looks = false;
  d->out = out;
  (void)fclose(memory);
  for (size_t at = 0; at < n; at += kRspMax / 4) {
    rsp_start(&g->out);
    rsp_text(&g->out, "O");
    rsp_hex(&g->out, text + at, n - at < kRspMax / 4 ? n - at : kRspMax / 4);
    reply(g);
    if (!g->no_ack) g->last_n = 0;
  }
  free(text);
  say(g, "OK");
}

static void query(wg_debug_t *d, const wg_warp_view_t *v, const char *p) {
  wg_gdb_t *g = d->gdb;
  static const char kXml[] = "qXfer:features:read:target.xml:";
  if (strncmp(p, "qSupported", 10) == 0) {
    rsp_start(&g->out);
    rsp_text(&g->out, "PacketSize=%x;qXfer:features:read+;QStartNoAckMode+;vContSupported+", kRspMax - 16);
    reply(g);
  } else if (strncmp(p, kXml, sizeof kXml - 1) == 0) transfer(g, g->xml, p + sizeof kXml - 1);
  else if (strcmp(p, "qfThreadInfo") == 0) list_threads(d, v);
  else if (strcmp(p, "qsThreadInfo") == 0) say(g, "l");
  else if (strncmp(p, "qThreadExtraInfo,", 17) == 0) thread_info(d, v, p + 17);
  else if (strncmp(p, "qRcmd,", 6) == 0) monitor(d, p + 6);
  else if (strncmp(p, "qAttached", 9) == 0) say(g, "1");
  else if (strcmp(p, "qC") == 0) {
    rsp_start(&g->out);
    rsp_text(&g->out, "QC%x", d->sel.lane + 1u);
    reply(g);
  } else say(g, "");
}

/* Z0 and z0: "0,addr,kind". */
static void breakpoint(wg_debug_t *d, const char *p) {
  wg_gdb_t *g = d->gdb;
  bool set = p[0] == 'Z';
  const char *at = p + 3;
  uint64_t addr = 0, code = 0;
  if (p[1] != '0' && p[1] != '1') {
    say(g, ""); /* watchpoints: not there */
    return;
  }
  if (p[2] != ',' || !rsp_number(&at, &addr) || *at != ',' || addr >> 32 != 0 || d->t.module(d->t.ctx, (size_t)(addr >> kWgPcBits), &code) == NULL) {
    say(g, "E01");
    return;
  }
  uint32_t pc = (uint32_t)addr & ((1u << kWgPcBits) - 1u);
  say(g, (set ? dbg_break_follow(d, code, pc) : dbg_break_unfollow(d, code, pc)) ? "OK" : "E02");
}

static void run_on(wg_debug_t *d, bool step, uint32_t lane) {
  wg_gdb_t *g = d->gdb;
  g->stepping = step;
  g->step_thread = lane;
  g->until_look = 0;
  if (step) {
    d->sel.lane = lane;
    dbg_go_insns(d, 1, 1u << lane);
  } else {
    d->go = kDbgRun;
  }
}

/* "vCont;s:5;c": the first step is what counts; the other lanes of the warp go with it or wait, as the machine has it.
   @return the run goes on */
static bool vcont(wg_debug_t *d, const wg_warp_view_t *v, const char *p) {
  while (*p == ';') {
    char action = p[1];
    uint64_t t = 0;
    p += 2 + strcspn(p + 2, ";:"); /* C and S bring a signal */
    if (*p == ':' && *++p == '-') p += strcspn(p, ";");
    else if (p[-1] == ':' && !rsp_number(&p, &t)) break;
    if (strchr("csCS", action) == NULL || action == '\0' || (*p != ';' && *p != '\0')) break;
    uint32_t lane = t == 0 ? d->sel.lane : (uint32_t)(t - 1);
    bool step = action == 's' || action == 'S';
    if (step && !lane_lives(v, lane)) break;
    if (step || *p == '\0') {
      run_on(d, step, lane);
      return true;
    }
  }
  say(d->gdb, "E01");
  return false;
}

/* "g": all registers, "p20": one. */
static void registers(wg_debug_t *d, const wg_warp_view_t *v, const char *p) {
  wg_gdb_t *g = d->gdb;
  const char *at = p + 1;
  uint64_t n = 0;
  if (p[0] == 'p' && (!rsp_number(&at, &n) || *at != '\0' || n >= g->regs)) {
    say(g, "E01");
    return;
  }
  rsp_start(&g->out);
  for (unsigned r = 0; r < g->regs; r++) {
    if (p[0] == 'g' || r == n) put_reg(d, &g->out, v, r);
  }
  reply(g);
}

/* One packet. @return the run goes on */
static bool packet(wg_debug_t *d, const wg_warp_view_t *v) {
  wg_gdb_t *g = d->gdb;
  const char *p = g->in.data, *at = p + 1;
  uint64_t n = 0;
  switch (p[0]) {
    case '?': stop_reply(d, true); return false;
    case 'q': query(d, v, p); return false;
    case 'Q':
      say(g, strcmp(p, "QStartNoAckMode") == 0 ? "OK" : "");
      g->no_ack = g->no_ack || strcmp(p, "QStartNoAckMode") == 0;
      return false;
    case 'g':
    case 'p': registers(d, v, p); return false;
    case 'm': read_memory(d, v, at); return false;
    case 'G':
    case 'P':
    case 'M': say(g, "E01"); return false; /* the run is as it is */
    case 'H': choose_thread(d, v, at); return false;
    case 'T': say(g, rsp_number(&at, &n) && n != 0 && n <= 32 && lane_lives(v, (unsigned)n - 1u) ? "OK" : "E01"); return false;
    case 'Z':
    case 'z': breakpoint(d, p); return false;
    case 'c':
    case 's':
      if (p[1] != '\0') { /* from another address: the run is as it is */
        say(g, "E01");
        return false;
      }
      run_on(d, p[0] == 's', d->sel.lane);
      return true;
    case 'v':
      if (strcmp(p, "vCont?") == 0) say(g, "vCont;c;C;s;S");
      else if (strncmp(p, "vCont", 5) == 0) return vcont(d, v, p + 5);
      else if (strncmp(p, "vKill", 5) != 0) say(g, "");
      else {
        say(g, "OK");
        dbg_detach(d);
        d->t.give_up(d->t.ctx, "ended by gdb");
        return true;
      }
      return false;
    case 'k':
      dbg_detach(d);
      d->t.give_up(d->t.ctx, "ended by gdb");
      return true;
    case 'D':
      say(g, "OK");
      dbg_detach(d);
      return true;
    default: say(g, ""); return false;
  }
}

/* ---- stops ---- */

static void write_elf(wg_debug_t *d) {
  wg_gdb_t *g = d->gdb;
  const wg_obj_t *objs[kDbgElfModules];
  wg_diag_t why;
  uint64_t code = 0;
  size_t n = 0;
  memset(&why, 0, sizeof why);
  while (n < (size_t)kDbgElfModules && (objs[n] = d->t.module(d->t.ctx, n, &code)) != NULL) n++;
  if (n == g->modules) return;
  g->modules = n;
  if (dbg_elf_write(g->elf, objs, n, &why) != kWgOk) fprintf(stderr, "warpglass: error: %s; gdb will know no source lines\n", why.msg);
}

static bool wait_for_gdb(wg_debug_t *d) {
  wg_gdb_t *g = d->gdb;
  struct sockaddr_in at;
  socklen_t size = sizeof at;
  if (g->path[0] != '\0') {
    fprintf(stderr, "warpglass: gdb is awaited: gdb-multiarch %s -ex 'target remote %s'\n", g->elf, g->path);
  } else if (getsockname(g->listener, (struct sockaddr *)&at, &size) == 0) {
    fprintf(stderr, "warpglass: gdb is awaited: gdb-multiarch %s -ex 'target remote localhost:%u'\n", g->elf, ntohs(at.sin_port));
  }
  do {
    g->peer = accept(g->listener, NULL, NULL);
  } while (g->peer < 0 && errno == EINTR);
  return g->peer >= 0;
}

static void stopped(wg_debug_t *d) {
  wg_gdb_t *g = d->gdb;
  wg_warp_view_t v;
  write_elf(d);
  bool first = g->peer < 0;
  if (first) make_xml(d);
  if (!dbg_selected(d, &v)) { /* nobody is there: on to the next; memory tells of a fault when its warp may have ended */
    bool over = d->stop_kind == kWgWhenFault || d->stop_kind == kWgWhenMismatch || d->stop_kind == kWgWhenHang;
    if (first || !over) return;
    stop_reply(d, false);
    dbg_detach(d);
    return;
  }
  live_lane(d, &v);
  if (first && !wait_for_gdb(d)) {
    fprintf(stderr, "warpglass: error: no connection to gdb: %s; the run goes on without it\n", strerror(errno));
    dbg_detach(d);
    return;
  }
  if (!first) stop_reply(d, true);
  for (;;) {
    if (!receive(g)) {
      fprintf(stderr, "warpglass: gdb has gone: the run goes on without it\n");
      dbg_detach(d);
      return;
    }
    /* a command of the debugger may have selected another warp */
    if (dbg_selected(d, &v) && packet(d, &v)) return;
  }
}

static void ended(wg_debug_t *d) {
  wg_gdb_t *g = d->gdb;
  if (g->peer >= 0 && d->attached) say(g, d->t.failed != NULL && d->t.failed(d->t.ctx) ? "W01" : "W00");
}

/* ---- life ---- */

static wg_status_t listen_tcp(wg_gdb_t *g, unsigned port, wg_diag_t *diag) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int on = 1;
  g->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (g->listener >= 0) (void)setsockopt(g->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (g->listener >= 0 && bind(g->listener, (struct sockaddr *)&at, sizeof at) == 0 && listen(g->listener, 1) == 0) return kWgOk;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "another port; 0 lets the system choose one");
  return wg_fail(diag, kWgIo, "cannot wait for gdb at port %u: %s", port, strerror(errno));
}

static wg_status_t listen_path(wg_gdb_t *g, const char *path, wg_diag_t *diag) {
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof at.sun_path) return wg_fail(diag, kWgBadInput, "the path of gdb's socket is longer than %zu letters", sizeof at.sun_path - 1);
  memcpy(at.sun_path, path, strlen(path) + 1);
  g->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (g->listener >= 0 && bind(g->listener, (struct sockaddr *)&at, sizeof at) == 0) {
    memcpy(g->path, path, strlen(path) + 1); /* ours from here on */
    if (listen(g->listener, 1) == 0) return kWgOk;
  }
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "a name that is free, in a folder that is there");
  return wg_fail(diag, kWgIo, "cannot wait for gdb at '%s': %s", path, strerror(errno));
}

/* A socket can be made there: nothing is, in a folder that is. */
static wg_status_t check_socket(const char *path, wg_diag_t *diag) {
  char folder[sizeof((struct sockaddr_un *)0)->sun_path];
  struct stat info;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "a name that is free, in a folder that is there");
  if (strlen(path) >= sizeof folder)
    return wg_fail(diag, kWgBadInput, "the path of gdb's socket is longer than %zu letters", sizeof folder - 1);
  if (lstat(path, &info) == 0)
    return wg_fail(diag, kWgBadInput, "cannot wait for gdb at '%s': something is there already", path);
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path + 1), path);
  if (stat(folder, &info) == 0 && S_ISDIR(info.st_mode) && access(folder, W_OK) == 0) return kWgOk;
  return wg_fail(diag, kWgBadInput, "cannot wait for gdb at '%s': no folder that can be written", path);
}

wg_status_t wg_debug_check_gdb(const char *where, wg_diag_t *diag) {
  if (strchr(where, '/') != NULL) return check_socket(where, diag);
  bool digits = where[0] != '\0' && where[strspn(where, "0123456789")] == '\0';
  if (digits && strlen(where) <= 5 && strtoul(where, NULL, 10) <= 65535) return kWgOk;
  if (diag != NULL) {
    snprintf(diag->hint, sizeof diag->hint,
             "a port from 0 to 65535 of this machine (0: any free one), or a socket by its path with a '/', as ./gdb.socket");
  }
  return wg_fail(diag, kWgBadInput, "no port for gdb: '%s'", where);
}

wg_status_t dbg_gdb_open(wg_debug_t *d, const char *where, const char *elf, wg_diag_t *diag) {
  static const dbg_front_t kFront = {stopped, ended, interrupted};
  wg_gdb_t *g = calloc(1, sizeof *g);
  if (g == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  d->gdb = g;
  g->listener = g->peer = -1;
  g->elf = strdup(elf);
  if (g->elf == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  WG_TRY(wg_debug_check_gdb(where, diag));
  bool port = strchr(where, '/') == NULL;
  WG_TRY(port ? listen_tcp(g, (unsigned)strtoul(where, NULL, 10), diag) : listen_path(g, where, diag));
  d->front = &kFront;
  return kWgOk;
}

void dbg_gdb_close(wg_debug_t *d) {
  wg_gdb_t *g = d->gdb;
  if (g == NULL) return;
  if (g->peer >= 0) close(g->peer);
  if (g->listener >= 0) close(g->listener);
  if (g->path[0] != '\0') (void)unlink(g->path);
  free(g->elf);
  free(g);
  d->gdb = NULL;
}
