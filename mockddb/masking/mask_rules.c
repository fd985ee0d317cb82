#include "masking/mask_rules.h"

#include "base/buf.h"
#include "base/file.h"
#include "wire/object_rules.h"

struct rule {
    const char *table; /* NULL: all tables */
    const char *attribute;
    enum mask_action action;
    const char *with;
    size_t part; /* counted from 1; 0: the whole text */
    char separator;
    bool met; /* it has matched a value */
};

struct mask_rules {
    const char *path;
    struct mask_key key;
    struct rule *at;
    size_t len;
    struct mask_left *left; /* NULL: values are not remembered */
};

/* --- reading ---------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    enum mask_action action;
} actions[] = {
    {"mask", MASK_HIDE}, {"hash", MASK_HASH}, {"replace", MASK_REPLACE}, {"drop", MASK_DROP}};

static const struct object_rule file_rules[] = {
    {"salt", JSON_STRING, 0, 0}, {"rules", JSON_NULL, 0, 0}, {.name = NULL}};
static const struct object_rule rule_rules[] = {
    {"table", JSON_STRING, OBJECT_FILLED, OBJECT_INTO(struct rule, table)},
    {"attribute", JSON_STRING, OBJECT_REQUIRED | OBJECT_FILLED,
     OBJECT_INTO(struct rule, attribute)},
    {"do", JSON_STRING, 0, 0},
    {"with", JSON_STRING, 0, OBJECT_INTO(struct rule, with)},
    {"part", JSON_NULL, 0, 0},
    {"separator", JSON_STRING, OBJECT_FILLED, 0},
    {.name = NULL},
};

static const struct problem *read_action(struct arena *a, struct span word, struct rule *out)
{
    for (size_t i = 0; i < COUNT(actions); i++) {
        if (!span_is(word, actions[i].word))
            continue;
        out->action = actions[i].action;
        return NULL;
    }
    return problem_invalid(a, "do is mask, hash, replace or drop");
}

static const struct problem *read_rule(struct arena *a, const wire_node *node, struct rule *out)
{
    const struct problem *p;
    struct span separator;
    const wire_node *part;

    if ((p = object_rules_read(a, node, rule_rules, out)) ||
        (p = read_action(a, wire_text(wire_get(node, "do")), out)))
        return p;
    if (out->with && (out->action != MASK_REPLACE || !strstr(out->with, "{}")))
        return problem_invalid(a, "with goes with replace, and has {} in it");
    separator = wire_text(wire_get(node, "separator"));
    part = wire_get(node, "part");
    out->separator = separator.len ? separator.at[0] : '#';
    if (separator.len > 1 || (separator.len && !part))
        return problem_invalid(a, "separator goes with part, and is one character");
    if (!part)
        return NULL;
    if (json_kind(part) != JSON_NUMBER || wire_integer(part, 0) < 1 || out->action == MASK_DROP)
        return problem_invalid(a, "part is a number from 1 on, and not for drop");
    out->part = (size_t)wire_integer(part, 0);
    return NULL;
}

static const struct problem *read_rules(struct arena *a, const wire_node *root,
                                        struct mask_rules *out)
{
    const struct problem *p = object_rules_read(a, root, file_rules, NULL);
    struct span salt = wire_text(wire_get(root, "salt"));
    const wire_node *list = wire_get(root, "rules");

    if (p)
        return p;
    if (!list || json_kind(list) != JSON_ARRAY || !salt.len)
        return problem_invalid(a, "rules, a list, and salt, a secret text, are needed");
    out->key = mask_value_key(salt);
    out->at = arena_array(a, wire_count(list), sizeof *out->at);
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        struct rule *rule = &out->at[out->len++];

        if ((p = read_rule(a, n, rule)))
            return problem_within(a, p, "rule %zu", out->len);
    }
    return NULL;
}

const struct problem *mask_rules_parse(struct arena *a, const char *path, struct span text,
                                       struct mask_rules **out)
{
    const wire_node *root;

    *out = arena_alloc(a, sizeof **out);
    (*out)->path = path;
    if (wire_parse(a, text, &root))
        return wire_problem(a, text, path);
    return problem_in(a, read_rules(a, root, *out), path);
}

const struct problem *mask_rules_read(struct arena *a, const char *path, struct mask_rules **out)
{
    struct span text;

    if (!file_read(a, path, &text))
        return problem_of(a, PROBLEM_FAILED, file_error(a, path));
    return mask_rules_parse(a, path, text, out);
}

/* --- applying --------------------------------------------------------------------------------- */

static bool is_about(const struct rule *rule, struct span table, struct span attribute)
{
    return (!rule->table || span_is(table, rule->table)) && span_is(attribute, rule->attribute);
}

const char *mask_rules_check_keys(struct arena *a, const struct mask_rules *rules,
                                  struct span table, const struct span *keys, size_t count)
{
    for (size_t i = 0; i < rules->len; i++)
        for (size_t k = 0; k < count; k++) {
            enum mask_action action = rules->at[i].action;

            if (is_about(&rules->at[i], table, keys[k]) &&
                (action == MASK_HIDE || action == MASK_DROP))
                return arena_printf(a,
                                    "%.*s belongs to the key of %.*s: hash or replace it, or items "
                                    "become one",
                                    SPAN_ARG(keys[k]), SPAN_ARG(table));
        }
    return NULL;
}

void mask_rules_remember(struct mask_rules *rules, struct mask_left *left)
{
    rules->left = left;
}

/* The part of a value that the rule is about: all of it, or a part of a text; false: it has no such
 * part. */
static bool find_part(const struct rule *rule, const struct attr *value, struct attr *out)
{
    size_t from = 0, number = 1, to;

    *out = *value;
    if (!rule->part)
        return true;
    if (value->type != ATTR_S)
        return false;
    while (number < rule->part && from < value->bytes.len)
        number += value->bytes.at[from++] == rule->separator;
    for (to = from; to < value->bytes.len && value->bytes.at[to] != rule->separator;)
        to++;
    out->bytes = (struct span){value->bytes.at + from, to - from};
    return number == rule->part;
}

static struct attr change_value(const struct mask_rules *rules, struct arena *a,
                                const struct rule *rule, const struct attr *value)
{
    struct buf out = buf_in(a);
    struct attr part;

    if (!find_part(rule, value, &part))
        return *value;
    if (!rule->part)
        return mask_value(a, &rules->key, rule->action, rule->with, value);
    buf_add(&out, value->bytes.at, (size_t)(part.bytes.at - value->bytes.at));
    buf_add_span(&out, mask_value_text(a, &rules->key, rule->action, rule->with, part.bytes));
    buf_add(&out, part.bytes.at + part.bytes.len,
            value->bytes.len - (size_t)(part.bytes.at + part.bytes.len - value->bytes.at));
    return (struct attr){.type = ATTR_S, .bytes = buf_span(&out)};
}

static struct item apply_to_item(struct mask_rules *rules, struct arena *a, struct span table,
                                 const struct item *it);

/* Values in lists and maps have names of their own. */
static struct attr go_inside(struct mask_rules *rules, struct arena *a, struct span table,
                             const struct attr *value)
{
    struct attr out = *value;

    if (value->type == ATTR_M) {
        out = (struct attr){.type = ATTR_M, .map = apply_to_item(rules, a, table, &value->map)};
    } else if (value->type == ATTR_L) {
        out = (struct attr){.type = ATTR_L};
        out.list.at = arena_array(a, value->list.len, sizeof *out.list.at);
        for (; out.list.len < value->list.len; out.list.len++)
            out.list.at[out.list.len] = go_inside(rules, a, table, &value->list.at[out.list.len]);
    }
    return out;
}

/* Returns false if the attribute must be dropped. */
static bool apply_to_field(struct mask_rules *rules, struct arena *a, struct span table,
                           struct field *field)
{
    const struct attr before = field->value;
    bool changed = false;

    for (size_t i = 0; i < rules->len; i++) {
        struct rule *rule = &rules->at[i];
        struct attr part;

        if (!is_about(rule, table, field->name))
            continue;
        rule->met = true;
        if (rules->left && find_part(rule, &before, &part))
            mask_left_remember(rules->left, &part);
        if (rule->action == MASK_DROP)
            return false;
        field->value = change_value(rules, a, rule, &field->value);
        changed = true;
    }
    if (!changed)
        field->value = go_inside(rules, a, table, &field->value);
    return true;
}

static struct item apply_to_item(struct mask_rules *rules, struct arena *a, struct span table,
                                 const struct item *it)
{
    struct item out = {.at = arena_array(a, it->len, sizeof *out.at)};

    for (size_t i = 0; i < it->len; i++) {
        out.at[out.len] = it->at[i];
        out.len += apply_to_field(rules, a, table, &out.at[out.len]);
    }
    return out;
}

struct item mask_rules_apply(struct mask_rules *rules, struct arena *a, struct span table,
                             const struct item *it)
{
    return apply_to_item(rules, a, table, it);
}

const char *mask_rules_unmet(struct arena *a, const struct mask_rules *rules)
{
    struct buf out = buf_in(a);

    for (size_t i = 0; i < rules->len; i++) {
        const struct rule *rule = &rules->at[i];

        if (rule->met)
            continue;
        buf_printf(&out, "%s rule %zu (%s%s%s)", out.len ? "," : "", i + 1,
                   rule->table ? rule->table : "", rule->table ? ": " : "", rule->attribute);
    }
    return out.len ? arena_printf(a, "%s: no attribute matches%s", rules->path, buf_text(&out))
                   : NULL;
}
