/* table_vector.h: the rules of vector indexes for CreateTable, UpdateTable and imports.
 *
 * The shapes have been checked. Source: docs/behaviour/vectors.md, "Definitions". */
#pragma once

#include "ops/table/table_spec.h"

/* Only on-demand tables may have vector indexes. */
MUST_CHECK const struct error *table_vector_check_billing(struct arena *a, bool on_demand);

/* Checks the SearchSchema alone and against the definitions, which must not define the vector. */
MUST_CHECK const struct error *table_vector_check_schema(struct arena *a,
                                                         const struct index_spec *ix,
                                                         const struct definition_list *defs);

MUST_CHECK const struct error *table_vector_check_dimensions(struct arena *a,
                                                             const struct vector_spec *v);

/* "Conflicting attribute definition": all indexes on one attribute have the same dimensions. */
MUST_CHECK const struct error *table_vector_check_same(struct arena *a, const struct vector_spec *v,
                                                       struct span attribute, int64_t dimensions);

/* How many NonKeyAttributes an index adds to the table's total. */
size_t table_vector_count_included(const struct index_spec *ix);
size_t table_vector_count_built(const struct index *ix);
