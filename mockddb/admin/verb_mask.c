/* POST /_mockddb/mask: applies rules of masks (docs/capture.md) to items of the request. Nothing
 * is stored. */
#include "admin/admin_verb.h"

#include "masking/mask_rules.h"
#include "wire/object_rules.h"
#include "wire/wire_attr.h"

struct masked {
    const char *table;
    const wire_node *given;
    struct item item;
};

/* The file of rules that salt and rules are the members of. */
static const struct problem *read_rules(struct admin_call *c, struct mask_rules **out)
{
    struct buf text = buf_in(c->arena);
    struct wire_writer w = {&text, false};
    static const char *const names[] = {"salt", "rules"};

    wire_open(&w, '{');
    for (size_t i = 0; i < COUNT(names); i++)
        if (wire_get(c->body, names[i]))
            wire_put_member_raw(&w, names[i], wire_raw(wire_get(c->body, names[i])));
    wire_close(&w, '}');
    return mask_rules_parse(c->arena, "rules", buf_span(&text), out);
}

/* A table of the world keeps its keys apart. */
static const struct problem *check_keys(struct admin_call *c, const struct mask_rules *rules,
                                        struct span name)
{
    const struct table *table = store_table(world_store(c->world), name);
    struct span keys[2 * LIMIT_KEY_PARTS];
    const struct key_part *part;
    const char *wrong;
    size_t count = 0;

    while (table && (part = schema_key_part(&table->keys, count)))
        keys[count++] = part->name;
    wrong = mask_rules_check_keys(c->arena, rules, name, keys, count);
    return wrong ? problem_invalid(c->arena, "%s", wrong) : NULL;
}

static const struct problem *mask_one(struct admin_call *c, struct mask_rules *rules,
                                      const wire_node *node, struct masked *out)
{
    static const struct object_rule members[] = {
        {"table", JSON_STRING, OBJECT_REQUIRED, OBJECT_INTO(struct masked, table)},
        {"item", JSON_OBJECT, OBJECT_REQUIRED, OBJECT_INTO(struct masked, given)},
        {.name = NULL}};
    static const struct wire_member shape[] = {{"item", &wire_attr_map, 0}, {NULL, NULL, 0}};
    const struct problem *p;
    const struct error *e;
    struct item item;

    if ((p = object_rules_read(c->arena, node, members, out)) ||
        (p = check_keys(c, rules, span_of(out->table))))
        return p;
    if ((e = wire_check_types(c->arena, shape, node)) ||
        (e = wire_read_item(c->arena, out->given, WIRE_LAYER_CURRENT, &item)))
        return problem_invalid(c->arena, "item: %.*s", SPAN_ARG(e->message));
    out->item = mask_rules_apply(rules, c->arena, span_of(out->table), &item);
    return NULL;
}

static const struct problem *mask(struct admin_call *c)
{
    const wire_node *list = wire_get(c->body, "maps");
    struct mask_left *left = mask_left_new(c->arena);
    struct masked *all;
    struct mask_rules *rules;
    const struct problem *p;
    const char *found;
    size_t count = 0;

    if ((p = read_rules(c, &rules)))
        return p;
    if (!list || json_kind(list) != JSON_ARRAY)
        return problem_invalid(c->arena, "maps, a list of {\"table\": …, \"item\": …}, is needed");
    mask_rules_remember(rules, left);
    all = arena_array(c->arena, wire_count(list), sizeof *all);
    wire_open_member(&c->out, "maps", '[');
    for (const wire_node *n = wire_first(list); n; n = wire_next(n), count++) {
        if ((p = mask_one(c, rules, n, &all[count])))
            return problem_within(c->arena, p, "maps[%zu]", count);
        wire_put_item(&c->out, &all[count].item);
    }
    wire_close(&c->out, ']');
    for (size_t i = 0; i < count; i++) /* when all replaced texts are known */
        mask_left_look(left, c->arena, span_of(all[i].table), &all[i].item);
    if ((found = mask_left_say(left, c->arena)))
        wire_put_member_word(&c->out, "left", found);
    return NULL;
}

const struct admin_verb verb_mask[] = {
    {"POST", "mask", 0, "salt rules maps", NULL, mask},
    {0},
};
