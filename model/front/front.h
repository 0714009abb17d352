// SPDX-License-Identifier: Apache-2.0
//
// The GPU's front end as the host sees it: a push buffer for each stream, and the rules of order between
// streams. It decides which command may begin next and when; whoever owns it (runtime/rt_queue.c) hands launches
// to the GigaThread engine and copies to copy engines, moves the contents and tells it when a command has ended.
// Time is ns of simulated time.
//
// The host encodes a command into 32-bit words behind those before it in the stream's push buffer and rings the
// doorbell:
//
//   word 0   operation [31:28], number of words [27:16], stream [15:0]     word 1, 2  the owner's handle, low word first
//   launch   grid x y z, block x y z, dynamic shared bytes                 copy       kind, device address, bytes (64 bit each)
//   record   -             wait  number of the record, 64 bit              function   -
//
// A command begins when all of this holds, and then takes command_ns in the front end before its work starts:
//   - submit_ns have passed since the doorbell;
//   - the command before it in its stream has ended (stream order);
//   - legacy default stream (number 0): every earlier command of every blocking stream has ended; a command of a blocking
//     stream: every earlier one of the default stream has. Streams made non-blocking take no part in this;
//   - wait: the record that it names has ended.
// Among those that could begin at the same time the stream with the lower priority number comes first (CUDA:
// lower is more urgent), then the earlier command. A push buffer that holds queue_commands makes the host wait.
// Source: CUDA C++ Programming Guide, "Streams" and "Default Stream"; the encoding is this model's own
// (DEVIATIONS.md).
#ifndef WG_MODEL_FRONT_H
#define WG_MODEL_FRONT_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgFrontMaxWords = 12, kWgFrontMaxStreams = 1024, kWgFrontLegacy = 0 };

/** Spec. Times in ns. */
typedef struct wg_front_spec {
  uint32_t queue_commands; /* that a stream's push buffer holds, 1..65536 */
  uint32_t submit_ns;      /* doorbell to front end */
  uint32_t command_ns;     /* front end: from one command of a stream to the work of the next */
} wg_front_spec_t;

typedef enum wg_front_op {
  kWgFrontLaunch = 1,
  kWgFrontCopy = 2, /* sets as well */
  kWgFrontRecord = 3,
  kWgFrontWait = 4,
  kWgFrontFunction = 5, /* a host function in stream order */
} wg_front_op_t;

typedef struct wg_front_cmd {
  wg_front_op_t op;
  uint32_t stream;
  uint64_t work;                          /* the owner's handle */
  uint32_t grid[3], block[3], dyn_shared; /* launch */
  uint32_t kind;                          /* copy: wg_copy_kind_t */
  uint64_t addr, bytes;                   /* copy: device address */
  uint64_t after;                         /* wait: number of a command, 0 = nothing to wait for */
} wg_front_cmd_t;

/** What a command needs before it can begin, for wg_front_peek. */
typedef struct wg_front_free {
  uint64_t launch_ns;  /* the SMs take a grid from then on */
  uint64_t copy_ns[4]; /* by kind of copy: the engine is free from then on */
} wg_front_free_t;

/** Encode. @param[out] words [kWgFrontMaxWords] @return words used */
unsigned wg_front_encode(const wg_front_cmd_t *c, uint32_t *words);
/** Decode what wg_front_encode made. @return words read, 0 if this is no command */
unsigned wg_front_decode(const uint32_t *words, wg_front_cmd_t *out);

typedef struct wg_front wg_front_t;

/** The default stream, number 0, is there from the start. @return kWgOk, kWgBadArg, kWgNoSpace */
WG_NODISCARD wg_status_t wg_front_create(const wg_front_spec_t *spec, wg_front_t **out, wg_diag_t *diag);
void wg_front_destroy(wg_front_t *f); /* takes NULL */

/** Open a stream. @param blocking takes part in the default stream's order @return kWgNoSpace beyond kWgFrontMaxStreams */
WG_NODISCARD wg_status_t wg_front_open(wg_front_t *f, bool blocking, int priority, uint32_t *stream, wg_diag_t *diag);
/** No command will follow; its number is free again when the last one has ended. */
void wg_front_close(wg_front_t *f, uint32_t stream);

/** As given to wg_front_open; 0 for the default stream. */
int wg_front_priority(const wg_front_t *f, uint32_t stream);

/** The stream's push buffer has room. */
bool wg_front_can_accept(const wg_front_t *f, uint32_t stream);
/** Write a command to its stream's push buffer and ring the doorbell at `now`, not before that of an earlier command.
    @return the command's number: 1, 2, 3, ... over all streams */
uint64_t wg_front_push(wg_front_t *f, const wg_front_cmd_t *c, uint64_t now);
/**
 * The command that begins next, as things are.
 * @param[out] id     its number
 * @param[out] start  when its work starts; later than what ends before may change
 * @return false if none can begin before another one has ended
 */
bool wg_front_peek(const wg_front_t *f, const wg_front_free_t *free, wg_front_cmd_t *out, uint64_t *id,
                   uint64_t *start);
/** The command at the head of `stream` begins: it stays there until wg_front_done. */
void wg_front_pop(wg_front_t *f, uint32_t stream);
/** The command that began in `stream` ended at `end`. */
void wg_front_done(wg_front_t *f, uint32_t stream, uint64_t end);

/** Has command `id` ended, and when? `end` may be NULL. */
bool wg_front_ended(const wg_front_t *f, uint64_t id, uint64_t *end);
/** When the command's doorbell rang. */
uint64_t wg_front_submitted(const wg_front_t *f, uint64_t id);
/** Number of the last command of a stream that has not ended; 0 if all have. */
uint64_t wg_front_last(const wg_front_t *f, uint32_t stream);
/** Neither the default stream nor a blocking one has a command. */
bool wg_front_legacy_idle(const wg_front_t *f);
/** No stream has a command. */
bool wg_front_idle(const wg_front_t *f);
/** Forget all commands (after a fault); streams stay. */
void wg_front_clear(wg_front_t *f);

/** Counts since creation. */
typedef struct wg_front_stats {
  uint64_t commands, push_buffer_bytes, most_waiting_commands; /* the last of one stream */
} wg_front_stats_t;
void wg_front_stats(const wg_front_t *f, wg_front_stats_t *out);

#ifdef __cplusplus
}
#endif
#endif
