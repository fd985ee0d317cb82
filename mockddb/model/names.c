#include "model/names.h"

#include "base/ascii.h"
#include "model/schema.h"

const char *const names_index_lists[] = {[KIND_LOCAL] = "LocalSecondaryIndexes",
                                         [KIND_GLOBAL] = "GlobalSecondaryIndexes",
                                         [KIND_VECTOR] = "VectorIndexes"};
const char *const names_key_kinds[] = {[KEY_HASH] = "HASH", [KEY_RANGE] = "RANGE", NULL};

const char *const names_projections[] = {
    [PROJECT_ALL] = "ALL",
    [PROJECT_INCLUDE] = "INCLUDE",
    [PROJECT_KEYS_ONLY] = "KEYS_ONLY",
    NULL,
};

const char *const names_distances[] = {
    [DISTANCE_DOT_PRODUCT] = "DOT_PRODUCT",
    [DISTANCE_COSINE] = "COSINE",
    [DISTANCE_EUCLIDEAN] = "EUCLIDEAN",
    NULL,
};

const char *const names_search_kinds[] = {"HASH", "INLINE_FILTER", NULL};

const char *const names_statuses[] = {
    [STATUS_CREATING] = "CREATING",
    [STATUS_UPDATING] = "UPDATING",
    [STATUS_DELETING] = "DELETING",
    [STATUS_ACTIVE] = "ACTIVE",
    NULL,
};

const char *const names_changes[] = {
    [CHANGE_NONE] = "NONE",       [CHANGE_THROUGHPUT] = "THROUGHPUT",
    [CHANGE_BILLING] = "BILLING", [CHANGE_STREAM] = "STREAM",
    [CHANGE_CLASS] = "CLASS",     [CHANGE_INDEX] = "INDEX",
    [CHANGE_REPLICA] = "REPLICA", NULL,
};

const char *const names_replication_modes[] = {
    [REPLICATION_UNSAID] = "",
    [REPLICATION_ENABLED] = "ENABLED",
    [REPLICATION_DISABLED] = "DISABLED",
    [REPLICATION_OVERRIDES] = "ENABLED_WITH_OVERRIDES",
    NULL,
};
const char *const names_consistencies[] = {
    [CONSISTENCY_EVENTUAL] = "EVENTUAL", [CONSISTENCY_STRONG] = "STRONG", NULL};

const char *const names_regions[] = {
    "af-south-1",     "ap-east-1",      "ap-east-2",      "ap-northeast-1", "ap-northeast-2",
    "ap-northeast-3", "ap-south-1",     "ap-south-2",     "ap-southeast-1", "ap-southeast-2",
    "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-6", "ap-southeast-7",
    "ca-central-1",   "ca-west-1",      "eu-central-1",   "eu-central-2",   "eu-north-1",
    "eu-south-1",     "eu-south-2",     "eu-west-1",      "eu-west-2",      "eu-west-3",
    "il-central-1",   "me-central-1",   "me-south-1",     "mx-central-1",   "sa-east-1",
    "us-east-1",      "us-east-2",      "us-west-1",      "us-west-2",      NULL,
};

const char *const names_views[] = {
    [VIEW_NEW_IMAGE] = "NEW_IMAGE",
    [VIEW_OLD_IMAGE] = "OLD_IMAGE",
    [VIEW_NEW_AND_OLD_IMAGES] = "NEW_AND_OLD_IMAGES",
    [VIEW_KEYS_ONLY] = "KEYS_ONLY",
    NULL,
};

const char *const names_insights_modes[] = {
    [INSIGHTS_THROTTLED_KEYS] = "THROTTLED_KEYS",
    [INSIGHTS_ALL_KEYS] = "ACCESSED_AND_THROTTLED_KEYS",
    NULL,
};

const char *const names_destination_statuses[] = {
    [DESTINATION_ENABLING] = "ENABLING",
    [DESTINATION_ACTIVE] = "ACTIVE",
    [DESTINATION_DISABLING] = "DISABLING",
    [DESTINATION_DISABLED] = "DISABLED",
    [DESTINATION_ENABLE_FAILED] = "ENABLE_FAILED",
    [DESTINATION_UPDATING] = "UPDATING",
    NULL,
};

const char *const names_precisions[] = {
    [PRECISION_UNSAID] = "",
    [PRECISION_MILLISECOND] = "MILLISECOND",
    [PRECISION_MICROSECOND] = "MICROSECOND",
    NULL,
};

const char *const names_billing_modes[] = {
    [false] = "PROVISIONED", [true] = "PAY_PER_REQUEST", NULL};
const char *const names_table_classes[] = {"STANDARD", "STANDARD_INFREQUENT_ACCESS", NULL};
const char *const names_sse_types[] = {[SSE_AES256] = "AES256", [SSE_KMS] = "KMS", NULL};
const char *const names_on_off[] = {[false] = "DISABLED", [true] = "ENABLED", NULL};

const char *const names_return_values[] = {
    [RETURN_ALL_NEW] = "ALL_NEW",         [RETURN_UPDATED_OLD] = "UPDATED_OLD",
    [RETURN_ALL_OLD] = "ALL_OLD",         [RETURN_NONE] = "NONE",
    [RETURN_UPDATED_NEW] = "UPDATED_NEW", NULL,
};

const char *const names_capacity_details[] = {
    [DETAIL_INDEXES] = "INDEXES",
    [DETAIL_TOTAL] = "TOTAL",
    [DETAIL_NONE] = "NONE",
    NULL,
};

const char *const names_selects[] = {
    [SELECT_SPECIFIC] = "SPECIFIC_ATTRIBUTES",
    [SELECT_COUNT] = "COUNT",
    [SELECT_ALL_ATTRIBUTES] = "ALL_ATTRIBUTES",
    [SELECT_ALL_PROJECTED] = "ALL_PROJECTED_ATTRIBUTES",
    NULL,
};

const char *const names_comparisons[] = {
    [COMPARISON_IN] = "IN",
    [COMPARISON_NULL] = "NULL",
    [COMPARISON_BETWEEN] = "BETWEEN",
    [COMPARISON_LT] = "LT",
    [COMPARISON_NOT_CONTAINS] = "NOT_CONTAINS",
    [COMPARISON_EQ] = "EQ",
    [COMPARISON_GT] = "GT",
    [COMPARISON_NOT_NULL] = "NOT_NULL",
    [COMPARISON_NE] = "NE",
    [COMPARISON_LE] = "LE",
    [COMPARISON_BEGINS_WITH] = "BEGINS_WITH",
    [COMPARISON_GE] = "GE",
    [COMPARISON_CONTAINS] = "CONTAINS",
    NULL,
};

const char *const names_update_actions[] = {
    [ACTION_ADD] = "ADD",
    [ACTION_PUT] = "PUT",
    [ACTION_DELETE] = "DELETE",
    NULL,
};

const char *const names_logical_operators[] = {[LOGICAL_OR] = "OR", [LOGICAL_AND] = "AND", NULL};

int names_find(const char *const *names, struct span word, int otherwise)
{
    for (int i = 0; names[i]; i++)
        if (span_is(word, names[i]))
            return i;
    return otherwise;
}

/* --- the alphabet of names -------------------------------------------------------------------- */

const char names_pattern[] = "[a-zA-Z0-9_.-]+";

static bool is_letter(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '_' || c == '.' || c == '-';
}

bool names_match_pattern(struct span text)
{
    return text.len && span_is_all(text, is_letter);
}

static bool is_of_region(char c)
{
    return (c >= 'a' && c <= 'z') || ascii_is_digit(c) || c == '-';
}

bool names_is_region(struct span text)
{
    return text.len && text.len <= LIMIT_REGION && span_is_all(text, is_of_region);
}

bool names_is_name(struct span text)
{
    return text.len >= LIMIT_NAME_MIN && text.len <= LIMIT_NAME && names_match_pattern(text);
}
