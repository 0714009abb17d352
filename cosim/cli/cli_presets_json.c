// SPDX-License-Identifier: Apache-2.0
//
// Presets as JSON documents, for programs: every key with its value, after overrides.
#include <jansson.h>
#include <libconfig.h>
#include <string.h>

#include "cosim/cli/cli_opts.h"

static json_t *value_of(const config_setting_t *s) {
  json_t *o;
  switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT: return json_integer(config_setting_get_int(s));
    case CONFIG_TYPE_INT64: return json_integer(config_setting_get_int64(s));
    case CONFIG_TYPE_FLOAT: return json_real(config_setting_get_float(s));
    case CONFIG_TYPE_BOOL: return json_boolean(config_setting_get_bool(s));
    case CONFIG_TYPE_STRING: return json_string(config_setting_get_string(s));
    case CONFIG_TYPE_ARRAY:
      o = json_array();
      for (int i = 0; i < config_setting_length(s); i++)
        json_array_append_new(o, value_of(config_setting_get_elem(s, (unsigned)i)));
      return o;
    default:
      o = json_object();
      for (int i = 0; i < config_setting_length(s); i++) {
        const config_setting_t *m = config_setting_get_elem(s, (unsigned)i);
        json_object_set_new(o, config_setting_name(m), value_of(m));
      }
      return o;
  }
}

json_t *cli_preset_json(const char *name, const wg_preset_t *p) {
  char *text = NULL;
  config_t c;
  json_t *keys = NULL;
  if (wg_preset_text(name, &text, NULL) != kWgOk) return NULL;
  config_init(&c);
  if (config_read_string(&c, text) == CONFIG_TRUE) keys = value_of(config_root_setting(&c));
  config_destroy(&c);
  free(text);
  if (keys == NULL) return NULL;
  json_t *o = json_pack("{s:s, s:s}", "name", p->name, "path", p->path);
  json_object_set_new(o, "keys", keys);
  return o;
}
