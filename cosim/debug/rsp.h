// SPDX-License-Identifier: Apache-2.0
//
// Packets of gdb's remote serial protocol: `$data#checksum`, acknowledged by + or -. Only bytes: no socket, no meaning.
#ifndef WG_COSIM_DEBUG_RSP_H
#define WG_COSIM_DEBUG_RSP_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kRspMax = 16384 }; /* bytes of a packet's data */

typedef enum rsp_event {
  kRspNone,      /* nothing whole yet */
  kRspPacket,    /* r->data[r->n], NUL behind it: a packet with the right checksum */
  kRspBad,       /* a packet whose checksum is wrong, or one that is too long: ask for it again (-) */
  kRspAck,       /* + */
  kRspNack,      /* -: send the last one again */
  kRspInterrupt  /* 0x03 outside of a packet: Ctrl-C */
} rsp_event_t;

/** Zero before the first byte. */
typedef struct rsp_reader {
  char data[kRspMax + 1];
  size_t n;
  uint8_t state, sum, want;
  bool escaped, too_long;
} rsp_reader_t;

/** The next byte from gdb. Other bytes between packets are passed over. */
rsp_event_t rsp_feed(rsp_reader_t *r, uint8_t byte);

/** A reply under construction: data that cannot be told from the protocol's own letters is escaped; one that grows too long is cut. */
typedef struct rsp_reply {
  char data[kRspMax + 1];
  size_t n;
} rsp_reply_t;
void rsp_start(rsp_reply_t *p);
void rsp_text(rsp_reply_t *p, const char *fmt, ...) WG_PRINTF(2, 3);
/** Bytes as pairs of hex digits. */
void rsp_hex(rsp_reply_t *p, const void *bytes, size_t n);
/** Bytes as they are, escaped where needed. */
void rsp_binary(rsp_reply_t *p, const void *bytes, size_t n);
/** With $, # and checksum. @param out [kRspMax + 5] @return bytes */
size_t rsp_frame(const rsp_reply_t *p, char *out);

/** Read a hex number. @param[in,out] at behind it @return false: there is none, or it is longer than 64 bits */
bool rsp_number(const char **at, uint64_t *out);
/** Pairs of hex digits to bytes. @return bytes read; stops at what is no pair or at `cap` */
size_t rsp_unhex(const char *text, void *out, size_t cap);

#ifdef __cplusplus
}
#endif
#endif
