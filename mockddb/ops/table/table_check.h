/* table_check.h: the rules about a table's definition that need no table to look at.
 *
 * Each function is one rule, or a few that belong together, in the service's order and words;
 * CreateTable and UpdateTable call those that concern them. Source: docs/behaviour/tables.md,
 * "Rules of a table's definition". */
#ifndef OPS_TABLE_CHECK_H
#define OPS_TABLE_CHECK_H

#include "ops/op.h"
#include "ops/table/table_spec.h"

/* "Too many entries in …": lists that other lists are searched for, the keys of all indexes
 * together. */
MUST_CHECK const struct error *table_check_lists(struct arena *a, const struct table_spec *spec);

/* Of a table or an LSI: defined attributes, one HASH, then at most one RANGE. */
MUST_CHECK const struct error *table_check_pair_keys(struct arena *a, const struct key_list *keys,
                                                     const struct definition_list *defs);

/* Of a GSI: defined attributes, 1 to 4 HASH, then up to 4 RANGE. */
MUST_CHECK const struct error *table_check_global_keys(struct arena *a, const struct key_list *keys,
                                                       const struct definition_list *defs);

/* Every definition is a key of the table or of an index. */
MUST_CHECK const struct error *table_check_definitions_used(struct arena *a,
                                                            const struct table_spec *spec);

MUST_CHECK const struct error *table_check_projection(struct arena *a,
                                                      const struct projection_spec *p);

/* NonKeyAttributes over all indexes of a table, of which there are `count`. */
MUST_CHECK const struct error *table_check_include_total(struct arena *a, size_t count);

/* A table's units along with PAY_PER_REQUEST. */
MUST_CHECK const struct error *
table_check_units_allowed(struct arena *a, const struct units_spec *units, bool on_demand);

/* Units that are beyond anything; `index` is "" for the table's own. */
MUST_CHECK const struct error *
table_check_units_bounds(struct arena *a, const struct units_spec *units, struct span index);

/* "… is outside of valid range": below 1; -1 passes where `clearing`, as UpdateTable has it. */
MUST_CHECK const struct error *table_check_on_demand_range(struct arena *a,
                                                           const struct units_spec *units,
                                                           struct span index, bool clearing);

/* "… is lower than …": less warm throughput than a new table or index starts with. */
MUST_CHECK const struct error *table_check_warm_floor(struct arena *a,
                                                      const struct units_spec *warm, bool on_demand,
                                                      struct unit_pair initial, struct span index);

MUST_CHECK const struct error *table_check_sse(struct arena *a, const struct sse_spec *sse);
MUST_CHECK const struct error *table_check_table_class(struct arena *a,
                                                       const struct table_spec *spec);

/* More units than the account's tables or indexes may have: LimitExceededException. */
MUST_CHECK const struct error *table_check_capacity(struct call *c, const struct units_spec *units,
                                                    struct span index);

/* On-demand limits or warm throughput beyond that: LimitExceededException. */
MUST_CHECK const struct error *table_check_maxima(struct call *c,
                                                  const struct units_spec *on_demand,
                                                  const struct units_spec *warm, struct span index);

/* Whether the key begins with `aws:`, in whatever case. */
bool table_check_is_reserved_tag(struct span key);

/* Keys, values and repetitions; their number and size together have limits below. */
MUST_CHECK const struct error *table_check_tags(struct arena *a, const struct tag_list *tags);
MUST_CHECK const struct error *table_check_tag_key(struct arena *a, struct span key);
MUST_CHECK const struct error *table_check_tag_count(struct arena *a, size_t count);
/* All tags that a table is to have: their number and size. */
MUST_CHECK const struct error *table_check_tag_set(struct arena *a, const struct tag *tags,
                                                   size_t count);

#endif
