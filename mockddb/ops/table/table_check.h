/* table_check.h: the rules of a table's definition that depend on the request alone.
 *
 * Each function checks one rule, or a few that belong together, in the service's order and words;
 * CreateTable and UpdateTable call the ones they need. Source: docs/behaviour/tables.md,
 * "Definitions". */
#pragma once

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* "Too many entries in …": limits the lists that later checks search, and the keys of all indexes
 * together. */
MUST_CHECK const struct error *table_check_lists(struct call *c, const struct table_spec *spec);

/* Keys of a table or an LSI: defined attributes, one HASH, then at most one RANGE. */
MUST_CHECK const struct error *table_check_pair_keys(struct arena *a, const struct key_list *keys,
                                                     const struct definition_list *defs);

/* Keys of a GSI: defined attributes, 1 to 4 HASH, then up to 4 RANGE. */
MUST_CHECK const struct error *table_check_global_keys(struct arena *a, const struct key_list *keys,
                                                       const struct definition_list *defs);

/* Every definition is a key of the table or of an index. */
MUST_CHECK const struct error *table_check_definitions_used(struct arena *a,
                                                            const struct table_spec *spec);

MUST_CHECK const struct error *table_check_projection(struct arena *a,
                                                      const struct projection_spec *p);

/* The causes where units do not go with the BillingMode (an index has none, or has some), where
 * on-demand limits do not, and where a StreamViewType does not go with StreamEnabled. */
struct error_why table_check_units_why(struct arena *a, bool on_demand, struct span index);
struct error_why table_check_on_demand_why(struct arena *a, const struct units_spec *units,
                                           struct span index);
struct error_why table_check_stream_why(bool enabled);

/* Limits NonKeyAttributes over all indexes of a table; `count` is their number. */
MUST_CHECK const struct error *table_check_include_total(struct arena *a, size_t count);

/* Refuses units together with PAY_PER_REQUEST. */
MUST_CHECK const struct error *
table_check_units_allowed(struct arena *a, const struct units_spec *units, bool on_demand);

/* Refuses units out of bounds; `index` is "" for the table's own units. */
MUST_CHECK const struct error *
table_check_units_bounds(struct arena *a, const struct units_spec *units, struct span index);

/* "… is outside of valid range": refuses limits below 1. UpdateTable sets `clearing`: -1 clears a
 * limit. */
MUST_CHECK const struct error *table_check_on_demand_range(struct arena *a,
                                                           const struct units_spec *units,
                                                           struct span index, bool clearing);

/* What warm throughput is not below. */
enum warm_floor {
    WARM_PROVISIONED, /* the units of the table or index */
    WARM_ON_DEMAND,   /* what an on-demand table or index starts with */
    WARM_NOW          /* what there is */
};

/* "… is lower than …": refuses less warm throughput than `least`. */
MUST_CHECK const struct error *table_check_warm_floor(struct arena *a,
                                                      const struct units_spec *warm,
                                                      enum warm_floor floor, struct unit_pair least,
                                                      struct span index);

MUST_CHECK const struct error *table_check_sse(struct call *c, const struct table_spec *spec);

/* LimitExceededException for more units than a table or index of the account may have. */
MUST_CHECK const struct error *table_check_capacity(struct call *c, const struct units_spec *units,
                                                    struct span index);

/* LimitExceededException for on-demand limits or warm throughput above the account's maximum. */
MUST_CHECK const struct error *table_check_maxima(struct call *c,
                                                  const struct units_spec *on_demand,
                                                  const struct units_spec *warm, struct span index);

/* Whether the key begins with `aws:`, ignoring case. */
bool table_check_is_reserved_tag(struct span key);

/* Checks keys, values and duplicates, but not the number and the total size (see below). */
MUST_CHECK const struct error *table_check_tags(struct arena *a, const struct tag_list *tags);
MUST_CHECK const struct error *table_check_tag_key(struct arena *a, struct span key);
MUST_CHECK const struct error *table_check_tag_count(struct arena *a, size_t count);
/* Checks the number and total size of all tags that the table would have. */
MUST_CHECK const struct error *table_check_tag_set(struct arena *a, const struct tag *tags,
                                                   size_t count);
