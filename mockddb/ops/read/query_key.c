#include "ops/read/query_key.h"

#include "expr/expr_print.h"
#include "ops/key_check.h"
#include "ops/read/read_start.h"

/* The clauses in the order of the schema; NULL for an attribute without a clause. */
struct sorted_clauses {
    const struct expr_key_clause *hash[LIMIT_KEY_PARTS];
    const struct expr_key_clause *range[LIMIT_KEY_PARTS];
    size_t range_used; /* leading sort attributes with a clause */
};

static const struct expr_key_clause *find_clause(const struct expr_key *clauses, struct span name)
{
    for (size_t i = 0; i < clauses->len; i++)
        if (span_equal(clauses->at[i].attribute, name))
            return &clauses->at[i];
    return NULL;
}

/* The error with its cause: a clause on another attribute than those of the key, or else the
 * missing clause on `name`. */
static const struct error *because_missed(struct arena *a, const struct error *e,
                                          const struct key_schema *keys,
                                          const struct expr_key *clauses, struct span name)
{
    struct error_why why = {CAUSE_CONDITION_MISSING, .operand = name};

    for (size_t i = 0; i < clauses->len && why.cause == CAUSE_CONDITION_MISSING; i++)
        if (!schema_is_key(keys, clauses->at[i].attribute))
            why = ERROR_WHY(CAUSE_CONDITION_STRANGER, .operand = clauses->at[i].attribute);
    return error_because(a, e, why);
}

static const struct error *missed_error(struct arena *a, const struct key_schema *keys,
                                        const struct expr_key *clauses, struct span name)
{
    return because_missed(
        a, error_validation(a, "Query condition missed key schema element: %.*s", SPAN_ARG(name)),
        keys, clauses, name);
}

static bool is_indexable(enum expr_op op)
{
    switch (op) {
    case EXPR_EQ:
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE:
    case EXPR_BETWEEN:
    case EXPR_BEGINS_WITH:
        return true;
    default:
        return false; /* only KeyConditions can have these */
    }
}

static const struct error *check_clause(struct arena *a, const struct index *ix,
                                        const struct key_part *part, bool is_hash,
                                        const struct expr_key_clause *clause)
{
    const struct error *e;

    if (!is_indexable(clause->op))
        return error_caused(a, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_CONDITION_OPERATOR, .operand = part->name),
                            "Attempted conditional constraint is not an indexable operation");
    if (clause->low.type != part->type ||
        (clause->op == EXPR_BETWEEN && clause->high.type != part->type))
        return error_caused(
            a, ERROR_VALIDATION,
            ERROR_WHY(CAUSE_CONDITION_TYPE, .operand = part->name, .wanted = (int)part->type,
                      .found = (int)(clause->low.type != part->type ? clause->low.type
                                                                    : clause->high.type)),
            ERROR_PARAMETER "Condition parameter type does not match schema type");
    if (is_hash && clause->op != EXPR_EQ)
        return error_caused(a, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_CONDITION_HASH, .operand = part->name),
                            "Query key condition not supported");
    if ((e = key_check_condition(a, ix, part, &clause->low)))
        return e;
    return clause->op == EXPR_BETWEEN ? key_check_condition(a, ix, part, &clause->high) : NULL;
}

/* Checks the total length of the values of all HASH or all RANGE attributes. BETWEEN counts its
 * longer value. */
static const struct error *check_lengths(struct arena *a,
                                         const struct expr_key_clause *const *clauses, size_t count,
                                         bool hash)
{
    size_t size = 0;

    for (size_t i = 0; i < count; i++) {
        size_t low, high;

        if (!clauses[i])
            continue;
        low = attr_size(&clauses[i]->low);
        high = clauses[i]->op == EXPR_BETWEEN ? attr_size(&clauses[i]->high) : 0;
        size += low > high ? low : high;
    }
    return key_check_length(a, hash, size);
}

/* Checks one key attribute of the starting key, if there is one. */
static const struct error *check_start_part(struct arena *a, const struct key_part *part,
                                            const struct item *start)
{
    const struct attr *value;

    if (!start)
        return NULL;
    value = item_find(start, part->name);
    return value && value->type == part->type ? NULL : read_start_invalid(a, false);
}

/* Sort attributes before the last one with a clause need `=`; the error lists the others. */
static const struct error *check_gaps(struct arena *a, const struct key_schema *keys,
                                      const struct expr_key *clauses)
{
    struct buf names = buf_in(a);
    struct span last;
    size_t end = keys->range_count;

    while (end > 0 && !find_clause(clauses, keys->range[end - 1].name))
        end--;
    if (end < 2)
        return NULL;
    last = keys->range[end - 1].name;
    for (size_t i = 0; i + 1 < end; i++) {
        const struct expr_key_clause *clause = find_clause(clauses, keys->range[i].name);

        if (clause && clause->op == EXPR_EQ)
            continue;
        if (names.len)
            buf_add_text(&names, ", ");
        buf_add_span(&names, keys->range[i].name);
    }
    if (!names.len)
        return NULL;
    return error_caused(
        a, ERROR_VALIDATION,
        ERROR_WHY(CAUSE_CONDITION_ORDER, .operand = last, .beside = buf_span(&names)),
        "RANGE key attributes %.*s must have equality conditions specified in "
        "the query because a condition is present on key attribute %.*s",
        SPAN_ARG(buf_span(&names)), SPAN_ARG(last));
}

static const struct error *sort_clauses(struct arena *a, const struct index *ix,
                                        const struct key_schema *keys,
                                        const struct expr_key *clauses, const struct item *start,
                                        struct sorted_clauses *out)
{
    struct span missing = {NULL, 0}; /* the first sort attribute without a clause */
    const struct error *e;
    size_t used = 0;

    *out = (struct sorted_clauses){.range_used = 0};
    for (size_t i = 0; i < keys->hash_count; i++) {
        const struct key_part *part = &keys->hash[i];

        if ((e = check_start_part(a, part, start)))
            return e;
        if (!(out->hash[i] = find_clause(clauses, part->name)))
            return missed_error(a, keys, clauses, part->name);
        if ((e = check_clause(a, ix, part, true, out->hash[i])))
            return e;
        used++;
    }
    if ((e = check_lengths(a, out->hash, keys->hash_count, true)))
        return e;
    for (size_t i = 0; i < keys->range_count; i++) {
        const struct key_part *part = &keys->range[i];

        if ((e = check_start_part(a, part, start)))
            return e;
        if (!(out->range[i] = find_clause(clauses, part->name))) {
            missing = missing.at ? missing : part->name;
            continue;
        }
        if ((e = check_clause(a, ix, part, false, out->range[i])))
            return e;
        used++;
        out->range_used = i + 1;
    }
    if (used < clauses->len) /* a clause has a foreign name, so an attribute has none */
        return missed_error(a, keys, clauses, missing);
    if ((e = check_lengths(a, out->range, keys->range_count, false)))
        return e;
    return check_gaps(a, keys, clauses);
}

static bool in_range(const struct expr_key_clause *clause, const struct attr *value)
{
    if (clause->op == EXPR_BEGINS_WITH)
        return span_starts_with(value->bytes, clause->low.bytes);
    if (clause->op == EXPR_BETWEEN)
        return attr_compare(value, &clause->low) >= 0 && attr_compare(value, &clause->high) <= 0;
    return expr_op_holds(clause->op, attr_compare(value, &clause->low));
}

/* The starting key has a value that the clause does not have. */
static struct error_why start_why(struct arena *a, enum error_cause cause, const struct item *start,
                                  const struct expr_key_clause *clause)
{
    struct buf own = buf_in(a), asked = buf_in(a);

    buf_printf(&own, "%.*s ", SPAN_ARG(clause->attribute));
    expr_print_value(&own, item_find(start, clause->attribute));
    expr_print_value(&asked, &clause->low);
    return ERROR_WHY(cause, .operand = buf_span(&own), .beside = buf_span(&asked));
}

/* Checks the starting key against the conditions. */
static const struct error *check_boundaries(struct arena *a, const struct key_schema *keys,
                                            const struct sorted_clauses *sorted,
                                            const struct item *start)
{
    const struct expr_key_clause *other = NULL; /* of another partition */
    const char *message = sorted->range_used
                              ? "The query can return at most one row and cannot be restarted"
                              : "The provided starting key is outside query boundaries based on "
                                "provided conditions";

    for (size_t i = 0; i < keys->hash_count; i++)
        if (!attr_equal(item_find(start, keys->hash[i].name), &sorted->hash[i]->low))
            other = sorted->hash[i];
    for (size_t i = 0; i < sorted->range_used; i++)
        if (!in_range(sorted->range[i], item_find(start, keys->range[i].name)))
            return error_caused(a, ERROR_VALIDATION,
                                other ? start_why(a, CAUSE_START_PARTITION, start, other)
                                      : start_why(a, CAUSE_START_RANGE, start, sorted->range[i]),
                                "The provided starting key does not match the range key predicate");
    return other ? error_caused(a, ERROR_VALIDATION,
                                start_why(a, CAUSE_START_PARTITION, start, other), "%s", message)
                 : NULL;
}

/* Sets low and high from the last sort clause, which may be a range, after `base`. Without a sort
 * clause (NULL) they are the whole partition's. */
static void range_of_clause(struct call *c, const struct expr_key_clause *clause, struct span base,
                            struct store_range *range)
{
    struct buf low = buf_in(c->arena), high = buf_in(c->arena);
    enum expr_op op = clause ? clause->op : EXPR_EQ;

    buf_add_span(&low, base);
    buf_add_span(&high, base);
    if (op == EXPR_BEGINS_WITH) {
        key_add_prefix(&low, &clause->low);
        key_add_prefix(&high, &clause->low);
    } else if (clause) {
        if (op != EXPR_LT && op != EXPR_LE)
            key_add_part(&low, &clause->low);
        if (op == EXPR_GT)
            key_next(&low);
        if (op != EXPR_GT && op != EXPR_GE)
            key_add_part(&high, op == EXPR_BETWEEN ? &clause->high : &clause->low);
    }
    if (op != EXPR_LT)
        key_next(&high);
    range->low = buf_span(&low);
    range->high = buf_span(&high);
}

const struct error *query_key_range(struct call *c, const struct table *t, const struct index *ix,
                                    const struct expr_key *clauses, const struct item *start,
                                    struct store_range *range)
{
    const struct key_schema *keys = ix ? &ix->keys : &t->keys;
    struct sorted_clauses sorted;
    const struct error *e;
    size_t defined;
    const struct attr *hash[LIMIT_KEY_PARTS];
    struct buf base;
    size_t fixed;

    if (start && !read_start_is_complete(t, ix, start))
        return read_start_invalid(c->arena, false);
    defined = keys->hash_count + keys->range_count;
    if (clauses->len > defined)
        return because_missed(
            c->arena,
            error_validation(c->arena,
                             "The number of query conditions (%zu) exceeds the number of key "
                             "attributes defined in the schema (%zu)",
                             clauses->len, defined),
            keys, clauses, keys->hash[0].name);
    if ((e = sort_clauses(c->arena, ix, keys, clauses, start, &sorted)))
        return e;
    if (start && ((e = read_start_check(c->arena, t, ix, start)) ||
                  (e = check_boundaries(c->arena, keys, &sorted, start))))
        return e;
    base = buf_in(c->arena);
    fixed = sorted.range_used ? sorted.range_used - 1 : 0;
    for (size_t i = 0; i < keys->hash_count; i++)
        hash[i] = &sorted.hash[i]->low;
    key_of_partition(&base, ix ? ix->space : t->space, hash, keys->hash_count);
    for (size_t i = 0; i < fixed; i++)
        key_add_part(&base, &sorted.range[i]->low);
    range_of_clause(c, sorted.range_used ? sorted.range[fixed] : NULL, buf_span(&base), range);
    if (start)
        read_start_at(c, t, ix, start, range);
    return NULL;
}
