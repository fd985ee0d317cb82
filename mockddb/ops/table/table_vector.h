/* table_vector.h: what vector indexes CreateTable, UpdateTable and imports may ask for.
 *
 * The member constraints hold already. Source: docs/behaviour/vectors.md, "Definitions". */
#ifndef OPS_TABLE_VECTOR_H
#define OPS_TABLE_VECTOR_H

#include "model/error.h"
#include "ops/table/table_spec.h"

/* Vector indexes are for tables on demand. */
MUST_CHECK const struct error *table_vector_check_billing(struct arena *a, bool on_demand);

/* The SearchSchema by itself and against the definitions, which may not hold the vector. */
MUST_CHECK const struct error *table_vector_check_schema(struct arena *a,
                                                         const struct index_spec *ix,
                                                         const struct definition_list *defs);

MUST_CHECK const struct error *table_vector_check_dimensions(struct arena *a,
                                                             const struct vector_spec *v);

/* "Conflicting attribute definition": all indexes on one attribute have the same dimensions. */
MUST_CHECK const struct error *table_vector_check_same(struct arena *a, const struct vector_spec *v,
                                                       struct span attribute, int64_t dimensions);

/* How much an index takes of the NonKeyAttributes that all of a table may have together. */
size_t table_vector_count_included(const struct index_spec *ix);
size_t table_vector_count_built(const struct index *ix);

#endif
