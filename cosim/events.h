// SPDX-License-Identifier: Apache-2.0
//
// Event traces: what the SMs of a run did, from probe events (cosim/probe.h), in a compact binary file. Written by a run
// (setting events=FILE), read by `warpglass trace`.
//
// The file (little endian): "WGEVENTS", u32 version, then chunks {u8 type, u32 bytes, bytes}:
//   'H'  once, first: lines "key value\n": preset, shape, sub_cores, warp_slots, sms, clock_khz, depth, window
//   'M'  a module: u32 number (from 0), u64 code base, u32 kernels; each: u32 first pc, u32 words, u16 length, name (mangled),
//        words (16 bytes each); then u32 files; each: u16 length, name; u32 lines; each: u32 pc, u32 file, u32 line
//   'P'  PTX of the module before: u32 lines; each: u32 pc, u32 line (wg_obj_ptx_line_t); then its text
//   'L'  a launch: u32 grid, u32 module, u32 kernel (index in it), u32 grid x y z, u32 block x y z, u64 simulated ns
//   'E'  events of one SM: u16 SM, u8 how, u64 first cycle, records. how: 0 = nothing leads to its first cycle; 1 = goes on where
//        the SM's chunk before ended; 2 = the same, if there is such a chunk
//   'W'  the window of one SM: u16 SM, u64 from, u64 to, u64 cycle of the event (UINT64_MAX: none)
//   'C'  what the host did, from `warpglass run`: lines "command|step WHAT STREAM BYTES START END KERNEL", ns
//   'Z'  once, last of the run ('C' may follow): u64 events, lines "key value\n": status, message
// Records: a byte below 128 lets so many cycles pass, 0: as many as the varint behind it; a byte from 128 on is an event's kind +
// 128, its fields follow (cosim/events.def). What fields are told apart from starts anew in each chunk: pcs, masks and lines at 0,
// reasons at kWgReasonNoWarp. But for how = 1 a chunk begins with the time and the warps that are there (kind Key).
// Cycles are those of a waveform: clocks of the SM since its creation, resets included.
#ifndef WG_COSIM_EVENTS_H
#define WG_COSIM_EVENTS_H

#include "toolchain/obj/wg_obj.h"
#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgEventsVersion = 2 /* 1: without chunks P */ };

typedef enum wg_event_kind {
#define WG_EVENT(ID, VALUE, NAME, DEPTH, FIELDS, DOC) kWgEvent##ID = (VALUE),
#define WG_EVENT_DEPTH(ID, VALUE, NAME, DOC)
#include "cosim/events.def"
  kWgEventKinds = 128
} wg_event_kind_t;
enum {
#define WG_EVENT_DEPTH(ID, VALUE, NAME, DOC) kWgEventDepth##ID = (VALUE),
#include "cosim/events.def"
};

/** One event; fields that its kind does not have are 0. */
typedef struct wg_event {
  uint64_t cycle;
  uint16_t sm;
  uint8_t kind; /* wg_event_kind_t; readers see Issue for Next */
  uint8_t sub, slot;
  uint8_t a, b, c, d;
  uint32_t pc, mask, exec, x, y, z, t;
  uint64_t addr; /* also: why, 4 bits a slot */
} wg_event_t;

/** Facts about a kind; `fields` NULL: there is no such kind. */
typedef struct wg_event_info {
  const char *name, *fields;
  unsigned depth;
} wg_event_info_t;
extern const wg_event_info_t wg_event_info[kWgEventKinds];
/** Depth by its word, 0 if there is none; the words for messages, ends with NULL. */
unsigned wg_events_depth(const char *word);
extern const char *const wg_events_depths[];

/* ---- one SM's records ---- */

/** What fields are told apart from, the same for writer and reader. */
typedef struct wg_event_base {
  struct {
    uint32_t fetch, issued, mask;
  } warp[kWgMaxSubCores][kWgMaxWarpSlots];
  uint64_t line, cycle;
  uint64_t why[kWgMaxSubCores];
} wg_event_base_t;
void wg_event_base_init(wg_event_base_t *b, uint64_t cycle);
enum { kWgEventMaxBytes = 96 };
/** Append the event and the cycles before it. @param out [kWgEventMaxBytes] @return bytes */
size_t wg_event_encode(wg_event_base_t *b, const wg_event_t *e, uint8_t *out);
/** Read an event. @param[in,out] at offset in buf[n] @return false: the end, or (`*at` < n) not an event */
bool wg_event_decode(wg_event_base_t *b, const uint8_t *buf, size_t n, size_t *at, wg_event_t *e);

/* ---- windows ---- */

typedef enum wg_when_kind {
  kWgWhenNone = 0,
  kWgWhenPc,      /* issue at this pc */
  kWgWhenBlock,   /* a block with this ctaid.x starts */
  kWgWhenBlockEnd,
  kWgWhenBarrier, /* this barrier of a block releases */
  kWgWhenArrive,  /* a warp is taken by it */
  kWgWhenDiverge, /* a branch splits a warp */
  kWgWhenReconverge, /* a convergence barrier joins lanes */
  kWgWhenExit,    /* a warp's last lane exits */
  kWgWhenFault,
  kWgWhenMismatch, /* the checker reports */
  kWgWhenHang      /* the last issue of a launch that is given up */
} wg_when_kind_t;

/** An event that a window is put around. */
typedef struct wg_when {
  wg_when_kind_t kind;
  uint32_t value;       /* pc, ctaid.x, barrier id */
  int64_t block, warp, sm; /* only of this ctaid.x, warp of the block, SM; -1: any */
  uint32_t nth;         /* the nth time, on each SM, from 1 */
} wg_when_t;

/**
 * Parse "pc:0x40", "block:3", "block-end:3", "barrier:3,block=5", "arrive:0,warp=2", "diverge,warp=2", "reconverge", "exit,warp=1",
 * "fault", "mismatch", "hang"; each may end in #N, the Nth time; conditions block= warp= sm=.
 * @return kWgOk, or kWgBadInput with the remedy as hint
 */
WG_NODISCARD wg_status_t wg_when_parse(const char *text, wg_when_t *out, wg_diag_t *diag);

/** What is recorded: everything; cycles [from, to); `before` cycles before an event and `after` behind it. */
typedef struct wg_events_window {
  wg_when_t when; /* kind None: cycles */
  uint64_t from, to, before, after;
} wg_events_window_t;
/** Parse "A..B", "EVENT" (100 cycles before it, 200 behind), "N..M@EVENT". @return kWgOk, or kWgBadInput with a remedy */
WG_NODISCARD wg_status_t wg_events_window_parse(const char *text, wg_events_window_t *out, wg_diag_t *diag);

/* ---- writing ---- */

typedef struct wg_events_out wg_events_out_t; /* a file */
typedef struct wg_recorder wg_recorder_t;     /* of one SM */

typedef struct wg_events_cfg {
  const char *path, *preset, *window_text;
  const wg_shape_t *shape;
  uint32_t num_sms, clock_khz;
  unsigned depth;
  wg_events_window_t window;
} wg_events_cfg_t;
/** @return kWgOk, kWgIo (a file that cannot be written) */
WG_NODISCARD wg_status_t wg_events_create(const wg_events_cfg_t *cfg, wg_events_out_t **out, wg_diag_t *diag);
/** Modules are numbered in the order of their first launch. */
void wg_events_module(wg_events_out_t *o, const wg_obj_t *obj, uint64_t code_base);
typedef struct wg_events_launch {
  uint32_t grid_id, module, kernel, grid[3], block[3];
  uint64_t time_ns;
} wg_events_launch_t;
void wg_events_launch(wg_events_out_t *o, const wg_events_launch_t *l);
/**
 * Close the file, once: what the recorders of a window before a failure hold is written first. They record nothing afterwards.
 * @param status what the run came to; message may be NULL @return kWgOk, or kWgIo: nothing of the file is left
 */
WG_NODISCARD wg_status_t wg_events_close(wg_events_out_t *o, wg_status_t status, const char *message, wg_diag_t *diag);
void wg_events_free_out(wg_events_out_t *o); /* and the recorders; takes NULL */

/** Recorder of SM `sm`; lives as long as the file. */
wg_recorder_t *wg_recorder_new(wg_events_out_t *o, uint16_t sm);
unsigned wg_recorder_depth(const wg_recorder_t *r);
/** Record an event (`sm` is filled in); cycles never go back. Events of a kind beyond the depth are left out. */
void wg_recorder_add(wg_recorder_t *r, wg_event_t *e);
/** The event that the window is put around happens in this cycle. */
void wg_recorder_trigger(wg_recorder_t *r, uint64_t cycle);
/** The SM's warps are gone (reset), and this is the simulated time. */
void wg_recorder_restart(wg_recorder_t *r, uint64_t cycle, uint64_t time_ns);
/** Hand full buffers to the file; in the serial part of a cycle. */
void wg_recorder_drain(wg_recorder_t *r);

/* ---- reading ---- */

typedef struct wg_events_kernel {
  char *name;
  uint32_t pc, words;
  wg_word_t *code; /* [words] */
} wg_events_kernel_t;
typedef struct wg_events_module {
  uint64_t code_base;
  wg_events_kernel_t *kernels;
  uint32_t num_kernels;
  char **files;
  uint32_t num_files;
  wg_obj_line_t *lines;
  uint32_t num_lines;
  wg_obj_ptx_line_t *ptx_lines;
  uint32_t num_ptx_lines;
  char *ptx; /* NULL: the module has none, or the trace is of version 1 */
} wg_events_module_t;
typedef struct wg_events_chunk {
  uint16_t sm;
  bool goes_on;
  uint64_t first_cycle;
  size_t at, bytes; /* in the file */
} wg_events_chunk_t;

/** A trace in memory. */
typedef struct wg_events {
  uint8_t *bytes;
  size_t size;
  char preset[64], shape[16], window[128], status[32], message[512];
  uint32_t sub_cores, warp_slots, num_sms, clock_khz;
  unsigned depth;
  wg_events_module_t *modules;
  uint32_t num_modules;
  wg_events_launch_t *launches;
  uint32_t num_launches;
  wg_events_chunk_t *chunks; /* in file order: ascending cycles within an SM */
  uint32_t num_chunks;
  char *commands; /* text of 'C', or NULL */
  uint64_t total; /* events */
  uint64_t from, to; /* of the window; 0, UINT64_MAX: all */
  uint64_t mark;     /* cycle of the event that the window is put around; UINT64_MAX: none */
} wg_events_t;

/** Read a trace. @return kWgOk, kWgIo, kWgBadInput (no trace, cut short, damaged: the byte in the message), kWgNoSpace */
WG_NODISCARD wg_status_t wg_events_read(const char *path, wg_events_t *out, wg_diag_t *diag);
void wg_events_free(wg_events_t *t);
/**
 * Show every event, SM by SM, cycles ascending within one. @param goes_on false for the first event of a stretch that what came
 * before does not lead to
 * @return kWgOk, or kWgBadInput for a damaged chunk
 */
WG_NODISCARD wg_status_t wg_events_each(const wg_events_t *t, void (*fn)(void *ctx, const wg_event_t *e, bool goes_on), void *ctx,
                                        wg_diag_t *diag);
/** Word at a pc of a grid; false: there is none. @param[out] kernel may be NULL */
bool wg_events_code(const wg_events_t *t, uint32_t grid, uint32_t pc, wg_word_t *word, const char **kernel);
/** Source place of a pc of a grid; false: unknown. */
bool wg_events_line(const wg_events_t *t, uint32_t grid, uint32_t pc, const char **file, unsigned *line);
/** PTX text of a grid's module (NULL: none) and the line of it that the code at a pc comes from; 0: of none. */
const char *wg_events_ptx(const wg_events_t *t, uint32_t grid, uint32_t pc, unsigned *line);

#ifdef __cplusplus
}
#endif
#endif
