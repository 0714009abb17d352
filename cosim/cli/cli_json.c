// SPDX-License-Identifier: Apache-2.0
//
// Counters of a run as JSON (`warpglass run --counters-json FILE`), for programs: every counter of every launch by name.
#include "cosim/cli/cli.h"
#include "toolchain/obj/wg_demangle.h"

typedef unsigned long long ull_t;

static void put_string(FILE *out, const char *s) {
  fputc('"', out);
  for (; *s != '\0'; s++) {
    if (*s == '"' || *s == '\\') fprintf(out, "\\%c", *s);
    else if ((unsigned char)*s < 0x20) fprintf(out, "\\u%04x", (unsigned)*s);
    else fputc(*s, out);
  }
  fputc('"', out);
}

static void put_pair(FILE *out, const char *key, const char *value) {
  fprintf(out, "\"%s\": ", key);
  put_string(out, value);
}

static void put_counter(void *ctx, const char *key, uint64_t value) {
  fprintf(ctx, ", \"%s\": %llu", key, (ull_t)value);
}

static void put_launch(FILE *out, const cli_record_t *r, const cli_launch_t *l) {
  char name[sizeof l->kernel];
  fprintf(out, "    {\"launch\": %u, ", l->n);
  put_pair(out, "kernel", l->kernel);
  fputs(", ", out);
  put_pair(out, "name", wg_demangle(l->kernel, name, sizeof name));
  fprintf(out, ", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"dynamic_shared_bytes\": %u", l->grid[0], l->grid[1],
          l->grid[2], l->block[0], l->block[1], l->block[2], l->shared);
  if (r->timing) {
    put_counter(out, "cycles", l->cycles);
    put_counter(out, "bound_cycles", l->bound);
    fputs(", ", out);
    put_pair(out, "bound_by", l->by);
  }
  const struct {
    const char *key;
    uint64_t value;
  } base[] = {{"warp_insts", l->warp_insts},         {"thread_insts", l->thread_insts},
              {"load_requests", l->load_requests},   {"load_lanes", l->load_lanes},
              {"load_sectors", l->load_sectors},     {"store_requests", l->store_requests},
              {"store_lanes", l->store_lanes},       {"store_sectors", l->store_sectors},
              {"shared_wavefronts", l->shared_wavefronts}, {"l1_lines", l->l1_lines},
              {"dram_read_bytes", l->dram_read},     {"dram_write_bytes", l->dram_write}};
  for (size_t i = 0; i < sizeof base / sizeof base[0]; i++) put_counter(out, base[i].key, base[i].value);
  if (l->has_more) {
    cli_counters_each(&l->more, put_counter, out);
    fputs(", \"issue_slots\": {", out);
    for (unsigned i = 0; i < kWgReasonCount; i++) {
      fprintf(out, "%s\"%s\": %llu", i == 0 ? "" : ", ", wg_reason_name(i), (ull_t)l->more.slot_cycles[i]);
    }
    fputc('}', out);
  }
  fprintf(out, ", \"retire_hash\": \"%016llx\"}", (ull_t)l->hash);
}

void cli_counters_json(FILE *out, const cli_record_t *r) {
  fputs("{\n  ", out);
  put_pair(out, "preset", r->preset);
  fputs(", ", out);
  put_pair(out, "backend", r->backend);
  fputs(", ", out);
  put_pair(out, "scheduler", r->sched);
  fputs(", ", out);
  put_pair(out, "divergence", r->divergence);
  fputs(", ", out);
  put_pair(out, "dependence", r->dependence);
  fputs(", ", out);
  put_pair(out, "check", r->check);
  fprintf(out, ", \"sms\": %u,\n  \"launches\": [", r->sms);
  for (size_t i = 0; i < r->num_launches; i++) {
    fputs(i == 0 ? "\n" : ",\n", out);
    put_launch(out, r, &r->launches[i]);
  }
  fputs("\n  ]\n}\n", out);
}
