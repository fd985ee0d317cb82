#include "ops/key_check.h"

#include "ops/vector_check.h"

#define NOT_VALID   "One or more parameter values are not valid. "
#define EMPTY_VALUE "The AttributeValue for a key attribute cannot contain an empty %s value."

/* The message for a key attribute that is absent or has a wrong type. */
enum wording { AS_MISMATCH, AS_ITEM };

static const struct error *mismatch_error(struct arena *a)
{
    return error_bare(a, error_validation(a, "The provided key element does not match the schema"));
}

static bool is_empty(const struct attr *value)
{
    return (value->type == ATTR_S || value->type == ATTR_B) && value->bytes.len == 0;
}

static const char *empty_kind(const struct attr *value)
{
    return value->type == ATTR_B ? "binary" : "string";
}

static const struct error *empty_key(struct arena *a, const struct key_part *part,
                                     const struct attr *value)
{
    return error_bare(a, error_validation(a, NOT_VALID EMPTY_VALUE " Key: %.*s", empty_kind(value),
                                          SPAN_ARG(part->name)));
}

static size_t longest_key(bool hash)
{
    return hash ? LIMIT_HASH_BYTES : LIMIT_RANGE_BYTES;
}

static struct error_why long_why(struct arena *a, struct span part, bool hash, size_t size)
{
    return ERROR_WHY(CAUSE_KEY_LONG, .operand = part, .count = size,
                     .beside = span_of(arena_printf(a, "%zu", longest_key(hash))));
}

static const struct error *too_long(struct arena *a, bool hash, size_t size)
{
    /* The service's message for partition keys has no blank before 2048. */
    const char *message = hash ? "Size of hashkey has exceeded the maximum size limit of2048 bytes"
                               : "Aggregated size of all range keys has exceeded the size limit of "
                                 "1024 bytes";

    return error_bare(
        a, error_caused(a, ERROR_VALIDATION,
                        long_why(a, hash ? SPAN_LIT("the partition key") : SPAN_LIT("the sort key"),
                                 hash, size),
                        ERROR_PARAMETER "%s", message));
}

const struct error *key_check_length(struct arena *a, bool hash, size_t size)
{
    return size > longest_key(hash) ? too_long(a, hash, size) : NULL;
}

/* The total size of key attributes. */
static size_t size_of_parts(const struct key_part *parts, size_t count, const struct item *it)
{
    size_t size = 0;

    for (size_t i = 0; i < count; i++) {
        const struct attr *value = item_find(it, parts[i].name);

        size += value ? attr_size(value) : 0;
    }
    return size;
}

/* --- table keys ------------------------------------------------------------------------------ */

static const struct error *check_part(struct arena *a, const struct key_part *part,
                                      enum wording wording, const struct attr *value)
{
    if (value && value->type == part->type)
        return is_empty(value) ? empty_key(a, part, value) : NULL;
    if (wording == AS_MISMATCH)
        return mismatch_error(a);
    if (!value)
        return error_bare(
            a, error_parameter(a, "Missing the key %.*s in the item", SPAN_ARG(part->name)));
    return error_bare(a, error_parameter(a, "Type mismatch for key %.*s expected: %s actual: %s",
                                         SPAN_ARG(part->name), attr_type_code(part->type),
                                         attr_type_code(value->type)));
}

static const struct error *check_kind(struct arena *a, const struct key_part *parts, size_t count,
                                      bool hash, enum wording wording, const struct item *it)
{
    for (size_t i = 0; i < count; i++) {
        const struct error *e = check_part(a, &parts[i], wording, item_find(it, parts[i].name));

        if (e)
            return e;
    }
    return key_check_length(a, hash, size_of_parts(parts, count, it));
}

static const struct error *check_keys(struct arena *a, const struct key_schema *keys,
                                      enum wording wording, const struct item *it)
{
    const struct error *e = check_kind(a, keys->hash, keys->hash_count, true, wording, it);

    return e ? e : check_kind(a, keys->range, keys->range_count, false, wording, it);
}

/* What is wrong with one part of a key. */
static bool find_cause(const struct key_part *part, const struct item *it, struct error_why *why)
{
    const struct attr *value = item_find(it, part->name);

    why->cause = !value                      ? CAUSE_KEY_MISSING
                 : value->type != part->type ? CAUSE_KEY_TYPE
                 : is_empty(value)           ? CAUSE_KEY_EMPTY
                                             : CAUSE_UNKNOWN;
    why->operand = part->name;
    why->wanted = (int)part->type;
    why->found = value ? (int)value->type : -1;
    return why->cause != CAUSE_UNKNOWN;
}

/* The error with its cause, which its message may not have. */
static const struct error *with_cause(struct arena *a, const struct error *e, const struct table *t,
                                      const struct item *it, bool only_key)
{
    const struct key_schema *keys = &t->keys;
    struct error_why why = {.beside = t->name};
    const struct key_part *part;
    bool found = false;

    if (!e || e->why.cause != CAUSE_UNKNOWN)
        return e;
    for (size_t i = 0; only_key && !found && i < it->len; i++)
        if ((found = !schema_is_key(keys, it->at[i].name)))
            why = ERROR_WHY(CAUSE_KEY_STRANGER, .operand = it->at[i].name, .beside = t->name);
    for (size_t i = 0; !found && (part = schema_key_part(keys, i)); i++)
        found = find_cause(part, it, &why);
    return error_because(a, e, why);
}

const struct error *key_check_parameter(struct arena *a, const struct table *t,
                                        const struct item *key)
{
    const struct error *e = key->len != schema_key_count(&t->keys)
                                ? mismatch_error(a)
                                : check_keys(a, &t->keys, AS_MISMATCH, key);

    return with_cause(a, e, t, key, true);
}

const struct error *key_check_item(struct arena *a, const struct table *t, const struct item *it)
{
    return with_cause(a, check_keys(a, &t->keys, AS_ITEM, it), t, it, false);
}

const struct error *key_check_batch_item(struct arena *a, const struct table *t,
                                         const struct item *it)
{
    return with_cause(a, check_keys(a, &t->keys, AS_MISMATCH, it), t, it, false);
}

/* The key's first attribute whose value is empty, or NULL. */
static const struct key_part *find_empty(const struct key_schema *keys, const struct item *it)
{
    const struct key_part *part;

    for (size_t i = 0; (part = schema_key_part(keys, i)); i++) {
        const struct attr *value = item_find(it, part->name);

        if (value && is_empty(value))
            break;
    }
    return part;
}

const struct error *key_check_empty(struct arena *a, const struct table *t, const struct item *it)
{
    const struct key_part *part = find_empty(&t->keys, it);

    if (!part)
        return NULL;
    return with_cause(a, empty_key(a, part, item_find(it, part->name)), t, it, false);
}

/* --- index keys ------------------------------------------------------------------------------ */

/* A check of one index; `arg` is an argument of the check. */
typedef const struct error *(*index_check)(struct arena *a, const struct index *ix,
                                           const struct item *it, const void *arg);

/* Checks all indexes; reports the error of the index whose name comes first. */
static const struct error *check_indexes(struct arena *a, const struct table *t,
                                         const struct item *it, index_check check, const void *arg)
{
    const struct error *first = NULL;
    struct span first_name = {NULL, 0};

    for (size_t i = 0; i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];
        const struct error *e = check(a, ix, it, arg);

        if (e && (!first || span_compare(ix->name, first_name) < 0)) {
            first = e;
            first_name = ix->name;
        }
    }
    return first;
}

static struct error_why index_why(const struct index *ix, const struct key_part *part,
                                  const struct attr *value)
{
    return ERROR_WHY(value->type == part->type ? CAUSE_INDEX_EMPTY : CAUSE_INDEX_TYPE,
                     .operand = part->name, .beside = ix->name, .wanted = (int)part->type,
                     .found = (int)value->type);
}

static const struct error *index_mismatch(struct arena *a, const struct index *ix,
                                          const struct key_part *part, const struct attr *value)
{
    const struct error *e = error_parameter(
        a, "Type mismatch for Index Key %.*s Expected: %s Actual: %s IndexName: %.*s",
        SPAN_ARG(part->name), attr_type_code(part->type), attr_type_code(value->type),
        SPAN_ARG(ix->name));

    return error_because(a, error_bare(a, e), index_why(ix, part, value));
}

const struct error *key_check_empty_entry(struct arena *a, const struct index *ix, struct span name,
                                          const struct attr *value)
{
    const struct error *e = error_validation(
        a,
        NOT_VALID "A value specified for a secondary index key is not supported. " EMPTY_VALUE
                  " IndexName: %.*s, IndexKey: %.*s",
        empty_kind(value), SPAN_ARG(ix->name), SPAN_ARG(name));

    return error_because(a, error_bare(a, e),
                         ERROR_WHY(CAUSE_INDEX_EMPTY, .operand = name, .beside = ix->name));
}

const struct error *key_check_empty_update(struct arena *a, const struct attr *value)
{
    return error_whole(
        a, error_validation(a,
                            NOT_VALID "The update expression attempted to update a secondary index "
                                      "key to a value that is not supported. " EMPTY_VALUE,
                            empty_kind(value)));
}

const struct error *key_check_condition(struct arena *a, const struct index *ix,
                                        const struct key_part *part, const struct attr *value)
{
    const struct error *e = NULL;

    if (is_empty(value))
        e = ix ? key_check_empty_entry(a, ix, part->name, value) : empty_key(a, part, value);
    return error_because(a, e, ERROR_WHY(CAUSE_CONDITION_EMPTY, .operand = part->name));
}

/* The HASH or the RANGE attributes of an index. */
struct key_parts {
    const struct key_part *parts;
    size_t count;
    bool hash;
};

static struct key_parts kind_of(const struct index *ix, bool hash)
{
    const struct key_schema *keys = &ix->keys;

    return hash ? (struct key_parts){keys->hash, keys->hash_count, true}
                : (struct key_parts){keys->range, keys->range_count, false};
}

/* Reports the attribute with which the key becomes too long. */
static const struct error *check_index_length(struct arena *a, const struct index *ix,
                                              struct key_parts kind, const struct item *it)
{
    for (size_t i = 0; i < kind.count; i++) {
        size_t size = size_of_parts(kind.parts, i + 1, it);

        if (size > longest_key(kind.hash))
            return error_bare(a, error_caused(a, ERROR_VALIDATION,
                                              long_why(a, kind.parts[i].name, kind.hash, size),
                                              ERROR_PARAMETER
                                              "Size limit exceeded for Index Key %.*s Actual Size: "
                                              "%zu bytes Max Size: %zu bytes IndexName: %.*s",
                                              SPAN_ARG(kind.parts[i].name), size,
                                              longest_key(kind.hash), SPAN_ARG(ix->name)));
    }
    return NULL;
}

static const struct error *check_put_kind(struct arena *a, const struct index *ix,
                                          struct key_parts kind, const struct item *it)
{
    for (size_t i = 0; i < kind.count; i++) {
        const struct key_part *part = &kind.parts[i];
        const struct attr *value = item_find(it, part->name);

        if (!value)
            continue;
        if (value->type != part->type)
            return index_mismatch(a, ix, part, value);
        if (is_empty(value))
            return key_check_empty_entry(a, ix, part->name, value);
    }
    return check_index_length(a, ix, kind, it);
}

static const struct error *check_put(struct arena *a, const struct index *ix, const struct item *it,
                                     const void *unused)
{
    const struct error *e;

    (void)unused;
    if (schema_kind(ix) == KIND_VECTOR)
        return vector_check_item(a, ix, it);
    e = check_put_kind(a, ix, kind_of(ix, true), it);
    return e ? e : check_put_kind(a, ix, kind_of(ix, false), it);
}

const struct error *key_check_index(struct arena *a, const struct index *ix, const struct item *it)
{
    return check_put(a, ix, it, NULL);
}

const struct error *key_check_indexes(struct arena *a, const struct table *t, const struct item *it)
{
    return check_indexes(a, t, it, check_put, NULL);
}

static const struct error *check_not_empty(struct arena *a, const struct index *ix,
                                           const struct item *it, const void *unused)
{
    const struct key_part *part = find_empty(&ix->keys, it);

    (void)unused;
    if (schema_kind(ix) == KIND_VECTOR)
        return vector_check_empty(a, ix, it);
    return part ? key_check_empty_entry(a, ix, part->name, item_find(it, part->name)) : NULL;
}

const struct error *key_check_empty_indexes(struct arena *a, const struct table *t,
                                            const struct item *it)
{
    return check_indexes(a, t, it, check_not_empty, NULL);
}

/* --- index keys that an update changes -------------------------------------------------------- */

struct updated_item {
    const struct expr_update *update; /* NULL: not an expression */
    const struct item *old;           /* NULL: there was no item */
};

/* Whether the update computes the attribute's value. */
static bool is_computed(struct arena *a, const struct expr_update *update, struct span name)
{
    const struct path *targets;
    size_t count;

    if (!update)
        return false;
    expr_update_targets(a, update, &targets, &count);
    for (size_t i = 0; i < count; i++)
        if (targets[i].len == 1 && span_equal(targets[i].at[0].name, name))
            return expr_update_is_computed(update, i);
    return false;
}

static const struct error *check_updated_part(struct arena *a, const struct index *ix,
                                              const struct key_part *part, const struct attr *value,
                                              const struct expr_update *update)
{
    if (value->type != part->type) {
        if (!is_computed(a, update, part->name))
            return index_mismatch(a, ix, part, value);
        return error_caused(a, ERROR_VALIDATION, index_why(ix, part, value),
                            "The update expression attempted to update the secondary index "
                            "key to unsupported type");
    }
    if (!is_empty(value))
        return NULL;
    if (!update)
        return key_check_empty_entry(a, ix, part->name, value);
    return error_because(a, key_check_empty_update(a, value), index_why(ix, part, value));
}

static const struct error *check_updated_kind(struct arena *a, const struct index *ix,
                                              struct key_parts kind, const struct item *it,
                                              const struct updated_item *updated)
{
    bool changed = false;

    for (size_t i = 0; i < kind.count; i++) {
        const struct key_part *part = &kind.parts[i];
        const struct attr *value = item_find(it, part->name);
        const struct attr *before = item_find(updated->old, part->name);
        const struct error *e;

        if (!value || (before && attr_equal(before, value)))
            continue;
        changed = true;
        if ((e = check_updated_part(a, ix, part, value, updated->update)))
            return e;
    }
    if (!changed || size_of_parts(kind.parts, kind.count, it) <= longest_key(kind.hash))
        return NULL;
    if (!updated->update)
        return check_index_length(a, ix, kind, it);
    return error_validation(a, "The update expression attempted to update the secondary index key "
                               "beyond allowed size limits");
}

static const struct error *check_updated(struct arena *a, const struct index *ix,
                                         const struct item *it, const void *arg)
{
    const struct updated_item *updated = arg;
    const struct error *e;

    if (schema_kind(ix) == KIND_VECTOR)
        return vector_check_updated(a, ix, updated->update != NULL, updated->old, it);
    e = check_updated_kind(a, ix, kind_of(ix, true), it, arg);
    return e ? e : check_updated_kind(a, ix, kind_of(ix, false), it, arg);
}

const struct error *key_check_updated_indexes(struct arena *a, const struct table *t,
                                              const struct expr_update *update,
                                              const struct item *old, const struct item *it)
{
    struct updated_item updated = {update, old};

    return check_indexes(a, t, it, check_updated, &updated);
}

const struct error *key_check_targets(struct arena *a, const struct table *t,
                                      const struct expr_update *update)
{
    const struct path *targets;
    size_t count;

    expr_update_targets(a, update, &targets, &count);
    for (size_t i = 0; i < count; i++)
        if (schema_is_key(&t->keys, targets[i].at[0].name))
            return error_caused(
                a, ERROR_VALIDATION, ERROR_WHY(CAUSE_KEY_UPDATED, .operand = targets[i].at[0].name),
                ERROR_PARAMETER "Cannot update attribute %.*s. This attribute is part of the key",
                SPAN_ARG(targets[i].at[0].name));
    return NULL;
}
