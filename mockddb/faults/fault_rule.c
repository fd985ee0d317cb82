#include "faults/fault_rule.h"

#include "base/date.h"
#include "model/limits.h"
#include "model/names.h"
#include "wire/wire_attr.h"
#include "wire/wire_node.h"

#include <math.h>

#define MOST_KEY_NAMES ((size_t)2 * LIMIT_KEY_PARTS)

/* --- reading ---------------------------------------------------------------------------------- */

static const char *const own_members[] = {"operation",  "table",       "index", "key", "key_prefix",
                                          "access_key", "from",        "until", "nth", "times",
                                          "seed",       "probability", "name",  NULL};

static bool is_listed(const char *const *names, struct span name)
{
    return names && names_find(names, name, -1) >= 0;
}

static bool is_of_kind(struct span name)
{
    for (size_t i = 0; fault_kind_table[i]; i++)
        if (span_is(name, fault_kind_table[i]->member) ||
            is_listed(fault_kind_table[i]->and_those, name))
            return true;
    return false;
}

static bool check_names(struct fault_reading *r, const wire_node *rule)
{
    struct span twice = wire_repeated(rule);

    for (const wire_node *m = wire_first(rule); m; m = wire_next(m)) {
        const char *name = arena_text(r->arena, wire_name(m));

        if (!is_listed(own_members, wire_name(m)) && !is_of_kind(wire_name(m)))
            return fault_kind_refuse(r, name, "is not a member of a rule");
        if (wire_is_null(m)) /* the rule would apply to more calls than intended */
            return fault_kind_refuse(r, name, "is null");
    }
    return !twice.at || fault_kind_refuse(r, arena_text(r->arena, twice), "is given twice");
}

static bool read_text(struct fault_reading *r, const wire_node *rule, const char *member,
                      struct span *out)
{
    const wire_node *node = wire_get(rule, member);

    *out = wire_text(node);
    return !node || out->len || fault_kind_refuse(r, member, "must be a string");
}

/* Reads the name of a table or an index; refuses names that no request can have. */
static bool read_name(struct fault_reading *r, const wire_node *rule, const char *member,
                      struct span *out)
{
    if (!read_text(r, rule, member, out))
        return false;
    return !out->len || (names_match_pattern(*out) && out->len <= LIMIT_NAME) ||
           fault_kind_refuse(r, member, "is %.*s, which cannot be the name of a table or index",
                             SPAN_ARG(*out));
}

static bool add_operation(struct fault_reading *r, const wire_node *name, struct fault_rule *rule)
{
    const struct op *op = op_find(OP_DYNAMODB, wire_text(name));

    if (!op)
        op = op_find(OP_STREAMS, wire_text(name));
    if (!op)
        return fault_kind_refuse(r, "operation",
                                 "names an operation that mockddb does not have: %.*s",
                                 SPAN_ARG(wire_raw(name)));
    rule->operations[rule->operation_count++] = op;
    return true;
}

/* Reads a name, or a list of names. */
static bool read_operations(struct fault_reading *r, const wire_node *rule, struct fault_rule *out)
{
    const wire_node *node = wire_get(rule, "operation");

    if (!node)
        return true;
    out->operations = arena_array(r->arena, 1 + wire_count(node), sizeof *out->operations);
    if (!wire_is_list(node))
        return add_operation(r, node, out);
    for (const wire_node *n = wire_first(node); n; n = wire_next(n))
        if (!add_operation(r, n, out))
            return false;
    return out->operation_count || fault_kind_refuse(r, "operation", "is an empty list");
}

static bool is_scalar(const wire_node *value)
{
    const wire_node *inner = wire_first(value);

    return wire_count(value) == 1 && wire_is_string(inner) &&
           (span_is(wire_name(inner), "S") || span_is(wire_name(inner), "N") ||
            span_is(wire_name(inner), "B"));
}

/* {"pk": {"S": "a"}} */
static bool read_key(struct fault_reading *r, const wire_node *rule, const char *member,
                     struct item *out)
{
    const wire_node *key = wire_get(rule, member);

    if (!key)
        return true;
    if (wire_count(key) > MOST_KEY_NAMES)
        return fault_kind_refuse(r, member, "has more than the %zu attributes of a key",
                                 MOST_KEY_NAMES);
    for (const wire_node *m = wire_first(key); wire_is_object(key) && m; m = wire_next(m)) {
        struct attr value;

        if (!is_scalar(m) || wire_read_attr(r->arena, m, WIRE_LAYER_CURRENT, &value))
            return fault_kind_refuse(r, member, "has %.*s, which is not a string, number or binary",
                                     SPAN_ARG(wire_name(m)));
        item_set(r->arena, out, wire_name(m), value);
    }
    return out->len ||
           fault_kind_refuse(r, member, "must be a map such as {\"pk\": {\"S\": \"a\"}}");
}

static bool read_moment(struct fault_reading *r, const wire_node *rule, const char *member,
                        int64_t *ms)
{
    const wire_node *node = wire_get(rule, member);
    struct span text = wire_text(node);
    int64_t moment = -1;

    if (!node)
        return true;
    if (!text.at)
        moment = fault_kind_whole(node, -1);
    else if (!date_read_extended(text, &moment))
        moment = -1;
    if (moment < 0 || moment > CLOCK_LAST_MS)
        return fault_kind_refuse(
            r, member, "must be a time: \"2026-01-01T00:00:00Z\", or milliseconds since 1970");
    *ms = moment;
    return true;
}

static bool read_probability(struct fault_reading *r, const wire_node *rule, double *out)
{
    const wire_node *node = wire_get(rule, "probability");

    if (!node)
        return true;
    *out = wire_is_number(node) ? wire_double(node, -1) : -1;
    return (*out > 0 && *out <= 1) ||
           fault_kind_refuse(r, "probability", "must be a number above 0 and at most 1");
}

static bool read_effects(struct fault_reading *r, const wire_node *rule, struct fault_rule *out)
{
    struct buf list = buf_in(r->arena);

    for (size_t i = 0; fault_kind_table[i]; i++) {
        const struct fault_kind *kind = fault_kind_table[i];

        buf_printf(&list, "%s%s", i ? ", " : "", kind->member);
        if (!wire_get(rule, kind->member)) {
            /* members that belong to a kind have no meaning without it */
            for (size_t k = 0; kind->and_those && kind->and_those[k]; k++)
                if (wire_get(rule, kind->and_those[k]))
                    return fault_kind_refuse(r, kind->and_those[k], "goes with %s", kind->member);
            continue;
        }
        out->effects[out->effect_count].kind = kind;
        if (!(out->effects[out->effect_count++].state = fault_kind_read(kind, r, rule)))
            return false;
    }
    if (out->effect_count)
        return true;
    r->problem = problem_invalid(r->arena, "%s does nothing: give one of %s", r->where,
                                 buf_text(&list));
    return false;
}

/* Whether a request for one of the rule's operations can have one of the members. */
static bool can_name(const struct fault_rule *rule, const char *const *members)
{
    for (size_t i = 0; i < rule->operation_count; i++)
        for (const struct wire_member *m = rule->operations[i]->members; m->name; m++)
            if (is_listed(members, span_of(m->name)))
                return true;
    return !rule->operation_count;
}

/* Refuses filters that no call of the rule's operations can match. */
static bool check_places(struct fault_reading *r, const struct fault_rule *rule)
{
#define STATEMENTS "Statement", "Statements", "TransactStatements", NULL
    static const char *const tables[] = {"TableName",     "ResourceArn",   "StreamArn",
                                         "TableArn",      "ShardIterator", "RequestItems",
                                         "TransactItems", STATEMENTS};
    static const char *const indexes[] = {"IndexName", STATEMENTS};
    static const char *const keys[] = {"Key",          "Item",          "KeyConditionExpression",
                                       "RequestItems", "TransactItems", STATEMENTS};
#undef STATEMENTS
    const struct {
        const char *member;
        bool given;
        const char *const *where;
    } places[] = {{"table", rule->table.len, tables},
                  {"index", rule->index.len, indexes},
                  {"key", rule->key.len, keys},
                  {"key_prefix", rule->key_prefix.len, keys}};

    for (size_t i = 0; i < COUNT(places); i++)
        if (places[i].given && !can_name(rule, places[i].where))
            return fault_kind_refuse(r, places[i].member,
                                     "cannot match: a %s request does not name one",
                                     rule->operations[0]->name);
    return true;
}

/* Refuses rules that can never have an effect. */
static bool check_sense(struct fault_reading *r, const struct fault_rule *rule)
{
    for (size_t i = 0; i < rule->effect_count; i++) {
        const struct fault_kind *kind = rule->effects[i].kind;
        bool touches = !rule->operation_count;

        for (size_t k = 0; k < rule->operation_count; k++)
            touches = touches || fault_kind_touches(kind, rule->operations[k]);
        if (!touches)
            return fault_kind_refuse(r, kind->member, "cannot happen in %s",
                                     rule->operations[0]->name);
    }
    if (!check_places(r, rule))
        return false;
    return rule->from_ms < rule->until_ms || fault_kind_refuse(r, "until", "is not after from");
}

bool fault_rule_read(struct fault_reading *r, const wire_node *node, struct fault_rule *out)
{
    struct span name;

    *out = (struct fault_rule){.nth = 1,
                               .times = INT64_MAX,
                               .probability = 1,
                               .from_ms = INT64_MIN,
                               .until_ms = INT64_MAX};
    if (!wire_is_object(node)) {
        r->problem = problem_invalid(r->arena, "%s is not an object", r->where);
        return false;
    }
    out->text = wire_raw(node);
    if (wire_get(node, "nth"))
        out->times = 1;
    return check_names(r, node) && read_operations(r, node, out) &&
           read_name(r, node, "table", &out->table) && read_name(r, node, "index", &out->index) &&
           read_text(r, node, "access_key", &out->access_key) &&
           read_text(r, node, "name", &name) && read_key(r, node, "key", &out->key) &&
           read_key(r, node, "key_prefix", &out->key_prefix) &&
           read_moment(r, node, "from", &out->from_ms) &&
           read_moment(r, node, "until", &out->until_ms) &&
           fault_read_count(r, node, "nth", 1, INT32_MAX, &out->nth) &&
           fault_read_count(r, node, "times", 1, INT32_MAX, &out->times) &&
           fault_read_count(r, node, "seed", 0, INT32_MAX, &out->seed) &&
           read_probability(r, node, &out->probability) && read_effects(r, node, out) &&
           check_sense(r, out);
}

/* --- matching calls --------------------------------------------------------------------------- */

static bool rule_happens(const struct fault_rule *rule, const struct call *c,
                         const struct op_subjects *subjects)
{
    for (size_t i = 0; i < rule->effect_count; i++)
        if (fault_kind_happens(rule->effects[i].kind, c, subjects))
            return true;
    return false;
}

static bool is_operation(const struct fault_rule *rule, const struct op *op)
{
    for (size_t i = 0; i < rule->operation_count; i++)
        if (rule->operations[i] == op)
            return true;
    return !rule->operation_count;
}

static bool has_key(struct call *c, const struct op_subject *s, const struct item *wanted)
{
    struct attr value;

    for (size_t i = 0; i < wanted->len; i++)
        if (!op_subject_value(c, s, wanted->at[i].name, &value) ||
            !attr_equal(&value, &wanted->at[i].value))
            return false;
    return true;
}

static bool has_prefix(struct call *c, const struct op_subject *s, const struct item *wanted)
{
    struct attr value;

    for (size_t i = 0; i < wanted->len; i++) {
        const struct attr *prefix = &wanted->at[i].value;

        if (!op_subject_value(c, s, wanted->at[i].name, &value) || value.type != prefix->type ||
            !span_starts_with(value.bytes, prefix->bytes))
            return false;
    }
    return true;
}

bool fault_rule_fits(const struct fault_rule *rule, struct call *c,
                     const struct op_subjects *subjects, const struct op_subject **subject)
{
    bool any = !rule->table.len && !rule->index.len && !rule->key.len && !rule->key_prefix.len;
    int64_t now_ms = clock_now_ms(c->clock);

    if (!is_operation(rule, c->op) || !rule_happens(rule, c, subjects) || now_ms < rule->from_ms ||
        now_ms >= rule->until_ms ||
        (rule->access_key.len && !span_equal(rule->access_key, c->access_key)))
        return false;
    *subject = NULL;
    arena_charge(c->arena, 1 + subjects->len * (1 + rule->key.len + rule->key_prefix.len));
    for (size_t i = 0; i < subjects->len; i++) {
        if ((rule->table.len && !span_equal(rule->table, subjects->at[i].table)) ||
            (rule->index.len && !span_equal(rule->index, subjects->at[i].index)) ||
            !has_key(c, &subjects->at[i], &rule->key) ||
            !has_prefix(c, &subjects->at[i], &rule->key_prefix))
            continue;
        *subject = &subjects->at[i];
        return true;
    }
    return any;
}

/* A number from 0 to below 1, computed from the rule's seed and its count of calls. */
static double random_of(const struct fault_rule *rule)
{
    const struct siphash_key key = {{(uint64_t)rule->seed, 0}};
    struct span seen = {(const char *)&rule->seen, sizeof rule->seen};

    return ldexp((double)(siphash(&key, seen) >> 11), -53);
}

bool fault_rule_hits(struct fault_rule *rule, double *random)
{
    rule->seen++;
    *random = random_of(rule);
    if (rule->seen < rule->nth || rule->hits >= rule->times || *random >= rule->probability)
        return false;
    *random /= rule->probability; /* the rest is evenly distributed, too */
    rule->hits++;
    return true;
}
