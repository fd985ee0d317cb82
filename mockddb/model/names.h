/* names.h: the words for enumerations in requests, replies, messages and the catalog.
 *
 * A list has the order of its enum, which is the order in which the service's messages list the
 * words, and ends with NULL. Enumerations of a schema are declared in model/schema.h, those of
 * requests here. Codes of attribute types are in model/attr.h. */
#pragma once

#include "base/span.h"

/* A list in place, for words without an enum. */
#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* --- schemas ---------------------------------------------------------------------------------- */

extern const char *const names_key_kinds[];            /* HASH, RANGE */
extern const char *const names_index_lists[];          /* of a table; enum index_kind */
extern const char *const names_projections[];          /* enum projection_type */
extern const char *const names_distances[];            /* enum distance */
extern const char *const names_search_kinds[];         /* HASH, INLINE_FILTER */
extern const char *const names_statuses[];             /* enum status */
extern const char *const names_changes[];              /* enum table_change; only in the catalog */
extern const char *const names_views[];                /* enum stream_view */
extern const char *const names_billing_modes[];        /* by `on_demand` */
extern const char *const names_insights_modes[];       /* enum insights_mode */
extern const char *const names_destination_statuses[]; /* enum destination_status */
extern const char *const names_precisions[]; /* enum destination_precision, the first one empty */
extern const char *const names_table_classes[];     /* the default first */
extern const char *const names_sse_types[];         /* enum sse_type */
extern const char *const names_replication_modes[]; /* enum replication_mode; "" if not set */
extern const char *const names_consistencies[];     /* enum consistency */
extern const char *const names_regions[];           /* of the service's partition aws */
extern const char *const names_on_off[];            /* DISABLED, ENABLED: indexed by a bool */

enum key_kind { KEY_HASH, KEY_RANGE };
enum consistency { CONSISTENCY_EVENTUAL, CONSISTENCY_STRONG };
enum sse_type { SSE_AES256, SSE_KMS };

/* --- requests --------------------------------------------------------------------------------- */

enum return_values {
    RETURN_ALL_NEW,
    RETURN_UPDATED_OLD,
    RETURN_ALL_OLD,
    RETURN_NONE,
    RETURN_UPDATED_NEW
};
extern const char *const names_return_values[];

enum capacity_detail { DETAIL_INDEXES, DETAIL_TOTAL, DETAIL_NONE };
extern const char *const names_capacity_details[];

enum select {
    SELECT_SPECIFIC,
    SELECT_COUNT,
    SELECT_ALL_ATTRIBUTES,
    SELECT_ALL_PROJECTED,
    SELECT_UNSAID /* not in the list */
};
extern const char *const names_selects[];

enum comparison {
    COMPARISON_IN,
    COMPARISON_NULL,
    COMPARISON_BETWEEN,
    COMPARISON_LT,
    COMPARISON_NOT_CONTAINS,
    COMPARISON_EQ,
    COMPARISON_GT,
    COMPARISON_NOT_NULL,
    COMPARISON_NE,
    COMPARISON_LE,
    COMPARISON_BEGINS_WITH,
    COMPARISON_GE,
    COMPARISON_CONTAINS
};
extern const char *const names_comparisons[];

enum update_action { ACTION_ADD, ACTION_PUT, ACTION_DELETE };
extern const char *const names_update_actions[];

enum logical_operator { LOGICAL_OR, LOGICAL_AND };
extern const char *const names_logical_operators[];

/* --- looking up ------------------------------------------------------------------------------- */

/* The index of a word in a list, or `otherwise` if the list does not have it. */
int names_find(const char *const *names, struct span word, int otherwise);

/* The characters of table and index names: the pattern as messages print it, and whether a text
 * matches it. */
extern const char names_pattern[];
bool names_match_pattern(struct span text);

/* Whether a region can have this name: up to 63 lower-case letters, digits and hyphens. */
bool names_is_region(struct span text);

/* Whether a table or an index may have that name. */
bool names_is_name(struct span text);
