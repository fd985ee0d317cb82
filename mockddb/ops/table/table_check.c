#include "ops/table/table_check.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "ops/op_fault.h"

/* --- sizes of lists -------------------------------------------------------------------------- */

/* The keys of vector indexes, or of all others. */
static size_t count_keys(const struct index_list *list, bool of_vectors)
{
    size_t count = 0;

    for (size_t i = 0; i < list->len; i++)
        if ((list->at[i].kind == KIND_VECTOR) == of_vectors)
            count += list->at[i].keys.len;
    return count;
}

static size_t count_changed_keys(const struct index_change_list *changes)
{
    size_t count = 0;

    for (size_t i = 0; i < changes->len; i++)
        count += changes->at[i].index.keys.len;
    return count;
}

const struct error *table_check_lists(struct call *c, const struct table_spec *spec)
{
    const struct {
        const char *name;
        size_t count;
    } lists[] = {
        {"AttributeDefinitions", spec->definitions.len},
        {names_index_lists[KIND_LOCAL], spec->indexes.counts[KIND_LOCAL]},
        {names_index_lists[KIND_GLOBAL], spec->indexes.counts[KIND_GLOBAL]},
        {"GlobalSecondaryIndexUpdates", spec->index_changes.len},
        {names_index_lists[KIND_VECTOR], spec->indexes.counts[KIND_VECTOR]},
        {"VectorIndexUpdates", spec->vector_changes.len},
        {"SearchSchema",
         count_keys(&spec->indexes, true) + count_changed_keys(&spec->vector_changes)},
        {"ReplicaUpdates", spec->global.count},
        {"KeySchema", count_keys(&spec->indexes, false) + count_changed_keys(&spec->index_changes)},
    };
    const struct error *e = NULL;

    for (size_t i = 0; !e && i < COUNT(lists); i++)
        e = op_fault_check_entries(c->arena, lists[i].name, lists[i].count);
    return e;
}

/* --- keys ------------------------------------------------------------------------------------ */

/* Java's String.hashCode, for names that are ASCII. */
static uint32_t java_hash(struct span name)
{
    uint32_t hash = 0;

    for (size_t i = 0; i < name.len; i++)
        hash = hash * 31 + (unsigned char)name.at[i];
    return hash;
}

/* The order in which a Java hash set of `buckets` buckets, a power of two, lists the names. */
static void list_hashed(struct buf *out, const struct span *names, size_t count, uint32_t buckets)
{
    uint32_t *hashes = arena_array(out->arena, count, sizeof *hashes);
    const char *separator = "";

    for (size_t i = 0; i < count; i++)
        hashes[i] = java_hash(names[i]);
    for (uint32_t bucket = 0; bucket < buckets; bucket++)
        for (size_t i = 0; i < count; i++) {
            if (((hashes[i] ^ (hashes[i] >> 16)) & (buckets - 1)) != bucket)
                continue;
            buf_add_text(out, separator);
            buf_add_span(out, names[i]);
            separator = ", ";
        }
}

/* The number of buckets of a Java hash table with `entries` entries that is at most three quarters
 * full. */
static uint32_t buckets_for(size_t entries)
{
    uint32_t buckets = 1;

    while ((size_t)buckets * 3 < entries * 4)
        buckets *= 2;
    return buckets;
}

static void list_definitions(struct arena *a, struct buf *out, const struct definition_list *defs)
{
    struct span *names = arena_array(a, defs->len, sizeof *names);

    for (size_t i = 0; i < defs->len; i++)
        names[i] = defs->at[i].name;
    list_hashed(out, names, defs->len, buckets_for(defs->len));
}

static const struct error *undefined_error(struct arena *a, const struct key_list *keys,
                                           const struct definition_list *defs)
{
    struct buf text = buf_in(a);

    buf_add_text(&text, "One or more parameter values were invalid: Some index key attributes are "
                        "not defined in AttributeDefinitions. Keys: [");
    for (size_t i = 0; i < keys->len; i++) {
        buf_add_text(&text, i ? ", " : "");
        buf_add_span(&text, keys->at[i].name);
    }
    buf_add_text(&text, "], AttributeDefinitions: [");
    list_definitions(a, &text, defs);
    buf_add_char(&text, ']');
    return error_of(a, ERROR_VALIDATION, buf_span(&text));
}

/* The first key attribute without a definition; if all have one, one of them is there twice. */
static struct error_why undefined_why(const struct key_list *keys,
                                      const struct definition_list *defs)
{
    for (size_t i = 0; i < keys->len; i++)
        if (table_spec_find_definition(defs, keys->at[i].name) == defs->len)
            return ERROR_WHY(CAUSE_KEY_UNDEFINED, .operand = keys->at[i].name);
    for (size_t i = 1; i < keys->len; i++)
        if (span_equal(keys->at[i].name, keys->at[i - 1].name))
            return ERROR_WHY(CAUSE_NAMED_TWICE, .operand = keys->at[i].name);
    return ERROR_WHY(CAUSE_UNKNOWN);
}

static const struct error *check_defined(struct arena *a, const struct key_list *keys,
                                         const struct definition_list *defs)
{
    if (keys->len > defs->len)
        return error_caused(a, ERROR_VALIDATION, undefined_why(keys, defs),
                            "Invalid KeySchema: Some index key attribute have no definition");
    for (size_t i = 0; i < keys->len; i++)
        if (table_spec_find_definition(defs, keys->at[i].name) == defs->len)
            return error_because(a, undefined_error(a, keys, defs), undefined_why(keys, defs));
    return NULL;
}

static const struct error *first_not_hash(struct arena *a)
{
    return error_caused(a, ERROR_VALIDATION, ERROR_WHY(CAUSE_KEY_KINDS),
                        "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
}

const struct error *table_check_pair_keys(struct arena *a, const struct key_list *keys,
                                          const struct definition_list *defs)
{
    const struct error *e = check_defined(a, keys, defs);

    if (e)
        return e;
    if (keys->len == 2 && span_equal(keys->at[0].name, keys->at[1].name))
        return error_caused(
            a, ERROR_VALIDATION, ERROR_WHY(CAUSE_NAMED_TWICE, .operand = keys->at[0].name),
            "Both the Hash Key and the Range Key element in the KeySchema have the same name");
    if (!keys->at[0].hash)
        return first_not_hash(a);
    if (keys->len == 2 && keys->at[1].hash)
        return error_caused(
            a, ERROR_VALIDATION, ERROR_WHY(CAUSE_KEY_KINDS),
            "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
    return NULL;
}

static const struct error *check_repeated_key(struct arena *a, const struct key_list *keys)
{
    for (size_t i = 0; i < keys->len; i++)
        for (size_t j = 0; j < i; j++)
            if (span_equal(keys->at[i].name, keys->at[j].name))
                return error_caused(
                    a, ERROR_VALIDATION, ERROR_WHY(CAUSE_NAMED_TWICE, .operand = keys->at[i].name),
                    "The KeySchema contains multiple key attributes with the same name");
    return NULL;
}

const struct error *table_check_global_keys(struct arena *a, const struct key_list *keys,
                                            const struct definition_list *defs)
{
    const struct error *e = check_defined(a, keys, defs);
    size_t hashes = 0, ranges = 0;

    if (e || (e = check_repeated_key(a, keys)))
        return e;
    if (!keys->at[0].hash)
        return first_not_hash(a);
    for (size_t i = 0; i < keys->len; i++) {
        if (keys->at[i].hash && ranges)
            return error_caused(
                a, ERROR_VALIDATION, ERROR_WHY(CAUSE_KEY_KINDS),
                ERROR_PARAMETER
                "All HASH key attributes must precede RANGE key attributes in the KeySchema");
        hashes += keys->at[i].hash;
        ranges += !keys->at[i].hash;
    }
    if (hashes > LIMIT_KEY_PARTS || ranges > LIMIT_KEY_PARTS)
        return error_parameter(
            a, "The KeySchema exceeds the maximum allowed number of %s key attributes",
            names_key_kinds[hashes > LIMIT_KEY_PARTS ? KEY_HASH : KEY_RANGE]);
    return NULL;
}

static size_t add_keys(struct span *used, size_t count, const struct key_list *keys)
{
    for (size_t i = 0; i < keys->len; i++) {
        size_t at = 0;

        while (at < count && !span_equal(used[at], keys->at[i].name))
            at++;
        used[at] = keys->at[i].name;
        count += at == count;
    }
    return count;
}

/* Lists the distinct names of all keys. All are defined, so there are at most as many as
 * definitions. */
static size_t list_used(const struct table_spec *spec, struct span *used)
{
    size_t count = add_keys(used, 0, &spec->keys);

    for (size_t i = 0; i < spec->indexes.len; i++)
        count = add_keys(used, count, &spec->indexes.at[i].keys);
    return count;
}

const struct error *table_check_definitions_used(struct arena *a, const struct table_spec *spec)
{
    const struct definition_list *defs = &spec->definitions;
    struct span *used = arena_array(a, defs->len, sizeof *used);
    size_t count = list_used(spec, used);
    struct error_why why = {.cause = CAUSE_UNKNOWN};
    struct buf text = buf_in(a);

    if (count == defs->len)
        return NULL;
    for (size_t i = 0; i < defs->len && !why.cause; i++) {
        size_t at = 0;

        while (at < count && !span_equal(used[at], defs->at[i].name))
            at++;
        if (at == count)
            why = ERROR_WHY(CAUSE_DEFINITION_UNUSED, .operand = defs->at[i].name);
    }
    if (spec->indexes.len == spec->indexes.counts[KIND_VECTOR])
        return error_caused(a, ERROR_VALIDATION, why,
                            ERROR_PARAMETER
                            "Number of attributes in KeySchema does not exactly match number of "
                            "attributes defined in AttributeDefinitions");
    buf_add_text(&text, "One or more parameter values were invalid: Some AttributeDefinitions are "
                        "not used. AttributeDefinitions: [");
    list_definitions(a, &text, defs);
    buf_add_text(&text, "], keys used: [");
    list_hashed(&text, used, count, buckets_for(count < 12 ? 12 : count));
    buf_add_char(&text, ']');
    return error_written(&text, why);
}

const struct error *table_check_include_total(struct arena *a, size_t count)
{
    if (count <= LIMIT_INCLUDE_TOTAL)
        return NULL;
    return error_caused(
        a, ERROR_VALIDATION,
        ERROR_WHY(CAUSE_MEMBER_HIGH,
                  .operand = SPAN_LIT("the number of NonKeyAttributes of all indexes"),
                  .place = span_of(arena_printf(a, "%zu", count)),
                  .beside = span_of(arena_printf(a, "%d", LIMIT_INCLUDE_TOTAL))),
        ERROR_PARAMETER "Number of NonKeyAttributes over all indexes exceeds per-table limit of %d",
        LIMIT_INCLUDE_TOTAL);
}

const struct error *table_check_projection(struct arena *a, const struct projection_spec *p)
{
    if (!p->type.len)
        return error_caused(a, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_MEMBER_MISSING, .operand = SPAN_LIT("ProjectionType")),
                            ERROR_PARAMETER "Unknown ProjectionType: null");
    if (!span_is(p->type, names_projections[PROJECT_INCLUDE])) {
        if (!p->include_given)
            return NULL;
        return error_caused(
            a, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_MEMBER_BARRED, .operand = SPAN_LIT("NonKeyAttributes"),
                      .beside = span_of(arena_printf(a, "ProjectionType %.*s", SPAN_ARG(p->type)))),
            ERROR_PARAMETER "ProjectionType is %.*s, but NonKeyAttributes is specified",
            SPAN_ARG(p->type));
    }
    if (!p->include_given)
        return error_caused(
            a, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_MEMBER_NEEDS, .operand = SPAN_LIT("ProjectionType INCLUDE"),
                      .beside = SPAN_LIT("NonKeyAttributes")),
            ERROR_PARAMETER "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
    for (size_t i = 0; i < p->include_count; i++)
        for (size_t j = 0; j < i; j++)
            if (span_equal(p->include[i], p->include[j]))
                return error_caused(a, ERROR_VALIDATION,
                                    ERROR_WHY(CAUSE_NAMED_TWICE, .operand = p->include[i]),
                                    ERROR_PARAMETER "Duplicate element in NonKeyAttributes: %.*s",
                                    SPAN_ARG(p->include[i]));
    return NULL;
}

/* --- units ----------------------------------------------------------------------------------- */

/* "ReadCapacityUnits", or "ReadCapacityUnits of by-day" of an index. */
static struct span member_of(struct arena *a, const char *member, struct span index)
{
    return span_of(arena_printf(a, "%s%s%.*s", member, index.len ? " of " : "", SPAN_ARG(index)));
}

/* A number that is too low or too high, with its bound in words. */
static struct error_why bound_why(struct arena *a, enum error_cause cause, const char *member,
                                  struct span index, int64_t value, const char *bound)
{
    return ERROR_WHY(cause, .operand = member_of(a, member, index),
                     .place = span_of(arena_printf(a, "%lld", (long long)value)),
                     .beside = span_of(bound), );
}

/* Units above the most that a table or index has. */
static struct error_why above_why(struct arena *a, const struct units_spec *units,
                                  const char *read_member, const char *write_member,
                                  struct span index)
{
    bool read = units->read > LIMIT_TABLE_UNITS;

    return bound_why(a, CAUSE_MEMBER_HIGH, read ? read_member : write_member, index,
                     read ? units->read : units->write, arena_printf(a, "%d", LIMIT_TABLE_UNITS));
}

struct error_why table_check_units_why(struct arena *a, bool on_demand, struct span index)
{
    if (!on_demand)
        return ERROR_WHY(CAUSE_MEMBER_NEEDS, .operand = index,
                         .beside = SPAN_LIT("ProvisionedThroughput"));
    return ERROR_WHY(CAUSE_MEMBER_BARRED, .operand = member_of(a, "ProvisionedThroughput", index),
                     .beside = SPAN_LIT("BillingMode PAY_PER_REQUEST"));
}

struct error_why table_check_on_demand_why(struct arena *a, const struct units_spec *units,
                                           struct span index)
{
    const char *member = units->has_read ? "MaxReadRequestUnits" : "MaxWriteRequestUnits";

    return ERROR_WHY(CAUSE_MEMBER_BARRED, .operand = member_of(a, member, index),
                     .beside = SPAN_LIT("BillingMode PROVISIONED"));
}

struct error_why table_check_stream_why(bool enabled)
{
    if (enabled)
        return ERROR_WHY(CAUSE_MEMBER_NEEDS, .operand = SPAN_LIT("StreamEnabled true"),
                         .beside = SPAN_LIT("StreamViewType"));
    return ERROR_WHY(CAUSE_MEMBER_BARRED, .operand = SPAN_LIT("StreamViewType"),
                     .beside = SPAN_LIT("StreamEnabled false"));
}

const struct error *table_check_units_allowed(struct arena *a, const struct units_spec *units,
                                              bool on_demand)
{
    if (!units->given || !on_demand)
        return NULL;
    return error_caused(a, ERROR_VALIDATION,
                        ERROR_WHY(CAUSE_UNITS_GIVEN, .beside = SPAN_LIT("ProvisionedThroughput")),
                        ERROR_PARAMETER "Neither ReadCapacityUnits nor WriteCapacityUnits can be "
                                        "specified when BillingMode is PAY_PER_REQUEST");
}

const struct error *table_check_units_bounds(struct arena *a, const struct units_spec *units,
                                             struct span index)
{
    bool read = units->read > LIMIT_UNITS_BEYOND;

    if (!read && units->write <= LIMIT_UNITS_BEYOND)
        return NULL;
    return error_caused(a, ERROR_VALIDATION,
                        above_why(a, units, "ReadCapacityUnits", "WriteCapacityUnits", index),
                        "Given value %lld for %s is out of bounds%s%.*s",
                        (long long)(read ? units->read : units->write),
                        read ? "ReadCapacityUnits" : "WriteCapacityUnits",
                        index.len ? " for index " : "", SPAN_ARG(index));
}

static bool in_range(bool given, int64_t value, bool clearing)
{
    return !given || value >= 1 || (clearing && value == -1);
}

const struct error *table_check_on_demand_range(struct arena *a, const struct units_spec *units,
                                                struct span index, bool clearing)
{
    bool read_good = in_range(units->has_read, units->read, clearing);
    const char *member = read_good ? "MaxWriteRequestUnits" : "MaxReadRequestUnits";

    if (read_good && in_range(units->has_write, units->write, clearing))
        return NULL;
    return error_caused(
        a, ERROR_VALIDATION,
        bound_why(a, CAUSE_MEMBER_LOW, member, index, read_good ? units->write : units->read,
                  clearing ? "1 (or -1, which takes the limit away)" : "1"),
        ERROR_PARAMETER "Requested %s for OnDemandThroughput for %s%.*s is outside of valid range",
        member, index.len ? "index : " : "table", SPAN_ARG(index));
}

/* The service names the maximum per table for an index as well; both are equal. */
const struct error *table_check_capacity(struct call *c, const struct units_spec *units,
                                         struct span index)
{
    bool read = units->read > LIMIT_TABLE_UNITS;

    if (!read && units->write <= LIMIT_TABLE_UNITS)
        return NULL;
    return error_caused(
        c->arena, ERROR_LIMIT_EXCEEDED,
        above_why(c->arena, units, "ReadCapacityUnits", "WriteCapacityUnits", index),
        "The requested %s%s%.*s, %lld, is above the per %s maximum for the account in %.*s. Per "
        "table maximum: %d. Refer to the Amazon DynamoDB Developer Guide for current limits and "
        "how to request higher limits.",
        read ? "ReadCapacityUnits" : "WriteCapacityUnits", index.len ? " for index " : "",
        SPAN_ARG(index), (long long)(read ? units->read : units->write),
        index.len ? "index" : "table", SPAN_ARG(op_region(c)), LIMIT_TABLE_UNITS);
}

static const struct error *check_maximum(struct call *c, const struct units_spec *units,
                                         bool on_demand, struct span index)
{
    const char *kind = units->read > LIMIT_TABLE_UNITS ? "Read" : "Write";
    const char *owner = on_demand ? "index : " : "index ";

    if (units->read <= LIMIT_TABLE_UNITS && units->write <= LIMIT_TABLE_UNITS)
        return NULL;
    return error_caused(
        c->arena, ERROR_LIMIT_EXCEEDED,
        above_why(c->arena, units, on_demand ? "MaxReadRequestUnits" : "ReadUnitsPerSecond",
                  on_demand ? "MaxWriteRequestUnits" : "WriteUnitsPerSecond", index),
        "Subscriber limit exceeded: Requested %s%s%s for %s for %s%.*s exceeds "
        "TableMax%sCapacityUnits of the account in region %.*s",
        on_demand ? "Max" : "", kind, on_demand ? "RequestUnits" : "UnitsPerSecond",
        on_demand ? "OnDemandThroughput" : "WarmThroughput", index.len ? owner : "table",
        SPAN_ARG(index), kind, SPAN_ARG(op_region(c)));
}

const struct error *table_check_maxima(struct call *c, const struct units_spec *on_demand,
                                       const struct units_spec *warm, struct span index)
{
    const struct error *e = check_maximum(c, on_demand, true, index);

    return e ? e : check_maximum(c, warm, false, index);
}

const struct error *table_check_warm_floor(struct arena *a, const struct units_spec *warm,
                                           enum warm_floor floor, struct unit_pair least,
                                           struct span index)
{
    static const char *const words[] = {
        [WARM_ON_DEMAND] = "initial throughput for OnDemand. See: "
                           "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
                           "on-demand-capacity-mode.html#on-demand-capacity-mode-initial",
        [WARM_NOW] = "current WarmThroughput, decreasing WarmThroughput is not supported",
    };
    bool low_read = warm->has_read && warm->read < least.read;
    const char *member = low_read ? "ReadUnitsPerSecond" : "WriteUnitsPerSecond", *lower;

    if (!low_read && !(warm->has_write && warm->write < least.write))
        return NULL;
    lower = words[floor] ? words[floor]
            : low_read   ? "ReadCapacityUnits of ProvisionedThroughput"
                         : "WriteCapacityUnits of ProvisionedThroughput";
    return error_caused(
        a, ERROR_VALIDATION,
        bound_why(a, CAUSE_MEMBER_LOW, member, index, low_read ? warm->read : warm->write,
                  arena_printf(a, "%lld", (long long)(low_read ? least.read : least.write))),
        ERROR_PARAMETER "Requested %s for WarmThroughput for %s%.*s is lower than %s", member,
        index.len ? "index " : "table", SPAN_ARG(index), lower);
}

/* --- encryption ------------------------------------------------------------------------------ */

const struct error *table_check_sse(struct call *c, const struct table_spec *spec)
{
    const struct sse_spec *sse = &spec->sse;

    if (!sse->given)
        return NULL;
    if (!sse->enabled && (sse->type.len || sse->key.len)) {
        const char *member = sse->type.len ? "SSEType" : "KMSMasterKeyId";

        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_MEMBER_BARRED, .operand = span_of(member),
                                      .beside = SPAN_LIT("Enabled false")),
                            ERROR_PARAMETER "%s can not be specified if Enabled is false", member);
    }
    if (sse->key.len && !sse->type.len)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_MEMBER_NEEDS, .operand = SPAN_LIT("KMSMasterKeyId"),
                                      .beside = SPAN_LIT("SSEType KMS")),
                            ERROR_PARAMETER
                            "SSEType KMS is required if KMSMasterKeyId is specified");
    if (span_is(sse->type, names_sse_types[SSE_AES256]))
        return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_SSE_OWNED),
                            ERROR_PARAMETER "SSEType AES256 is not supported");
    return NULL;
}

/* --- tags ------------------------------------------------------------------------------------ */

/* Letters, digits, blanks and + - = . _ : / @. Beyond ASCII every character is a letter, except the
 * pictographs U+1F000 to U+1FFFF, which begin with F0 9F. */
static bool tag_text_is_valid(struct span s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.at[i];

        if (c < 0x80 && !ascii_is_letter((char)c) && !ascii_is_digit((char)c) &&
            !ascii_is_one_of((char)c, " +-=._:/@"))
            return false;
        if (c == 0xF0 && i + 1 < s.len && (unsigned char)s.at[i + 1] == 0x9F)
            return false;
    }
    return true;
}

bool table_check_is_reserved_tag(struct span key)
{
    return key.len >= 4 && (key.at[0] | 0x20) == 'a' && (key.at[1] | 0x20) == 'w' &&
           (key.at[2] | 0x20) == 's' && key.at[3] == ':';
}

const struct error *table_check_tag_key(struct arena *a, struct span key)
{
    if (table_check_is_reserved_tag(key))
        return error_caused(a, ERROR_VALIDATION, ERROR_WHY(CAUSE_TAG_RESERVED, .operand = key),
                            "Tag Key cannot be prefixed with aws:, Key: %.*s", SPAN_ARG(key));
    if (!key.len || utf8_utf16_length(key) > LIMIT_TAG_KEY || !tag_text_is_valid(key))
        return error_caused(
            a, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_TAG_TEXT, .operand = SPAN_LIT("Key"), .beside = SPAN_LIT("1 to 128")),
            "The Tag Key provided is invalid, Key: %.*s", key.at ? (int)key.len : 4,
            key.at ? key.at : "null");
    return NULL;
}

static const struct error *check_tag_value(struct arena *a, struct span value)
{
    if (value.at && utf8_utf16_length(value) <= LIMIT_TAG_VALUE && tag_text_is_valid(value))
        return NULL;
    return error_caused(
        a, ERROR_VALIDATION,
        ERROR_WHY(CAUSE_TAG_TEXT, .operand = SPAN_LIT("Value"), .beside = SPAN_LIT("0 to 256")),
        "The Tag Value provided is invalid, Value: %.*s", value.at ? (int)value.len : 4,
        value.at ? value.at : "null");
}

const struct error *table_check_tags(struct arena *a, const struct tag_list *tags)
{
    const struct error *e = op_fault_check_entries(a, "Tags", tags->len);

    if (e)
        return e;
    for (size_t i = 0; i < tags->len; i++) {
        if ((e = table_check_tag_key(a, tags->at[i].key)) ||
            (e = check_tag_value(a, tags->at[i].value)))
            return e;
        for (size_t j = 0; j < i; j++)
            if (span_equal(tags->at[i].key, tags->at[j].key))
                return error_caused(
                    a, ERROR_VALIDATION, ERROR_WHY(CAUSE_NAMED_TWICE, .operand = tags->at[i].key),
                    "Duplicate Tag Keys provided as input: Duplicate Tag Key found %.*s",
                    SPAN_ARG(tags->at[i].key));
    }
    return NULL;
}

const struct error *table_check_tag_count(struct arena *a, size_t count)
{
    if (count <= LIMIT_TAGS)
        return NULL;
    return error_caused(a, ERROR_VALIDATION, ERROR_WHY(CAUSE_TAG_COUNT, .count = LIMIT_TAGS),
                        "Number of Tags exceed the current limit for the provided ResourceArn");
}

const struct error *table_check_tag_set(struct arena *a, const struct tag *tags, size_t count)
{
    const struct error *e = table_check_tag_count(a, count);
    size_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += tags[i].key.len + tags[i].value.len;
    if (e || bytes <= LIMIT_TAG_SET_BYTES)
        return e;
    return error_validation(a, "Tag set size %zu bytes is above max size limit of %zu bytes", bytes,
                            LIMIT_TAG_SET_BYTES);
}
