// SPDX-License-Identifier: Apache-2.0
//
// Is a document what a schema says? The part of JSON Schema that cli_schema.c uses.
#include <string.h>

#include "cosim/cli/cli_stats.h"

/* Where the document is: "launches[3].rates". */
typedef struct place {
  char text[200];
} place_t;

static place_t at_key(const place_t *in, const char *key) {
  place_t p;
  snprintf(p.text, sizeof p.text, "%s%s%.60s", in->text, in->text[0] == '\0' ? "" : ".", key);
  return p;
}

static place_t at_item(const place_t *in, size_t i) {
  place_t p;
  snprintf(p.text, sizeof p.text, "%.170s[%zu]", in->text, i);
  return p;
}

static wg_status_t valid(const json_t *v, const json_t *schema, const place_t *at, wg_diag_t *diag);

static wg_status_t bad(const place_t *at, const char *what, wg_diag_t *diag) {
  return wg_fail(diag, kWgBadInput, "'%s' %s", at->text[0] == '\0' ? "the document" : at->text, what);
}

static wg_status_t valid_object(const json_t *v, const json_t *schema, const place_t *at, wg_diag_t *diag) {
  const json_t *properties = json_object_get(schema, "properties"), *required = json_object_get(schema, "required");
  const char *key;
  json_t *member, *name;
  size_t i;
  json_array_foreach((json_t *)required, i, name) {
    place_t p = at_key(at, json_string_value(name));
    if (json_object_get(v, json_string_value(name)) == NULL) return bad(&p, "is not there", diag);
  }
  json_object_foreach((json_t *)v, key, member) {
    const json_t *of = json_object_get(properties, key);
    place_t p = at_key(at, key);
    if (of == NULL) return bad(&p, "is no key of this schema", diag);
    WG_TRY(valid(member, of, &p, diag));
  }
  return kWgOk;
}

static wg_status_t valid_array(const json_t *v, const json_t *schema, const place_t *at, wg_diag_t *diag) {
  const json_t *least = json_object_get(schema, "minItems"), *most = json_object_get(schema, "maxItems");
  size_t i, n = json_array_size(v);
  json_t *item;
  if ((least != NULL && (json_int_t)n < json_integer_value(least)) ||
      (most != NULL && (json_int_t)n > json_integer_value(most)))
    return bad(at, "has too few or too many items", diag);
  json_array_foreach((json_t *)v, i, item) {
    place_t p = at_item(at, i);
    WG_TRY(valid(item, json_object_get(schema, "items"), &p, diag));
  }
  return kWgOk;
}

static wg_status_t valid_number(const json_t *v, const json_t *schema, const place_t *at, wg_diag_t *diag) {
  const json_t *least = json_object_get(schema, "minimum");
  if (least != NULL && json_number_value(v) < json_number_value(least)) return bad(at, "is too small a number", diag);
  /* 2^53: more than any count of a run, and a thousand of them can be added up */
  bool huge = json_is_integer(v) && json_integer_value(v) > INT64_C(1) << 53;
  return huge ? bad(at, "is too large a number", diag) : kWgOk;
}

static wg_status_t valid_text(const json_t *v, const json_t *schema, const place_t *at, wg_diag_t *diag) {
  const json_t *words = json_object_get(schema, "enum"), *exact = json_object_get(schema, "const");
  size_t i;
  json_t *word;
  bool found = words == NULL;
  json_array_foreach((json_t *)words, i, word) found = found || json_equal(word, v) == 1;
  if (!found || (exact != NULL && json_equal(exact, v) != 1))
    return bad(at, "is none of the words of this schema", diag);
  bool is_short = json_integer_value(json_object_get(schema, "minLength")) > (json_int_t)json_string_length(v);
  return is_short ? bad(at, "is empty", diag) : kWgOk;
}

static wg_status_t valid(const json_t *v, const json_t *schema, const place_t *at, wg_diag_t *diag) {
  const char *type = json_string_value(json_object_get(schema, "type"));
  char what[40];
  if (type == NULL) type = "string"; /* a constant */
  bool same = strcmp(type, "object") == 0    ? json_is_object(v)
              : strcmp(type, "array") == 0   ? json_is_array(v)
              : strcmp(type, "boolean") == 0 ? json_is_boolean(v)
              : strcmp(type, "integer") == 0 ? json_is_integer(v)
              : strcmp(type, "number") == 0  ? json_is_number(v)
                                             : json_is_string(v);
  snprintf(what, sizeof what, "is no %s", type);
  if (!same) return bad(at, what, diag);
  if (json_is_object(v)) return valid_object(v, schema, at, diag);
  if (json_is_array(v)) return valid_array(v, schema, at, diag);
  if (json_is_number(v)) return valid_number(v, schema, at, diag);
  return json_is_string(v) ? valid_text(v, schema, at, diag) : kWgOk;
}

wg_status_t cli_json_valid(const json_t *doc, wg_diag_t *diag) {
  json_t *schema = cli_json_schema();
  const place_t top = {""};
  wg_status_t st = valid(doc, schema, &top, diag);
  json_decref(schema);
  return st;
}
