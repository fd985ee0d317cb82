/* GET, POST and DELETE /_mockddb/throttle: whether a world's tables are throttled
 * (ops/throttle/throttle.h). */
#include "admin/admin_verb.h"
#include "model/names.h"
#include "wire/wire_node.h"

#define MOST_TABLES 1000 /* each request is compared with each of them */

static const char *const bursts[] = {"full", "empty"};

static const struct problem *show_rules(struct admin_call *c)
{
    const struct throttle_rules *rules = world_throttle(c->world);

    wire_put_member_word(&c->out, "mode", rules->on ? "provisioned" : "off");
    wire_put_member_word(&c->out, "burst", bursts[rules->empty]);
    wire_open_member(&c->out, "tables", '[');
    for (size_t i = 0; i < rules->table_count; i++)
        wire_put_text(&c->out, rules->tables[i]);
    wire_close(&c->out, ']');
    return NULL;
}

/* Sets *out to whether the member is the second of two words. */
static const struct problem *read_word(struct admin_call *c, const char *member, const char *first,
                                       const char *second, bool *out)
{
    const wire_node *node = wire_get(c->body, member);
    struct span word = wire_text(node);

    if (!node)
        return NULL;
    *out = span_is(word, second);
    if (*out || span_is(word, first))
        return NULL;
    return problem_invalid(c->arena, "%s is not one of %s, %s", member, first, second);
}

static const struct problem *read_tables(struct admin_call *c, struct throttle_rules *out)
{
    const wire_node *list = wire_get(c->body, "tables");
    struct span *tables;

    if (!list)
        return NULL;
    if (!wire_is_list(list) || !wire_count(list))
        return problem_invalid(c->arena, "tables is not a list of names");
    if (wire_count(list) > MOST_TABLES)
        return problem_invalid(c->arena, "tables has more than %d names", MOST_TABLES);
    tables = arena_array(c->arena, wire_count(list) + 1, sizeof *tables);
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        if (!names_is_name(wire_text(n)))
            return problem_invalid(c->arena, "tables has %.*s, which is not a table name",
                                   SPAN_ARG(wire_raw(n)));
        tables[out->table_count++] = wire_text(n);
    }
    out->tables = tables;
    return NULL;
}

static const struct problem *change_rules(struct admin_call *c)
{
    struct throttle_rules rules = {.on = true};
    const struct problem *p;

    if ((p = read_word(c, "mode", "off", "provisioned", &rules.on)) ||
        (p = read_word(c, "burst", bursts[0], bursts[1], &rules.empty)) ||
        (p = read_tables(c, &rules)))
        return p;
    if (!rules.on && wire_count(c->body) > 1)
        return problem_invalid(c->arena, "mode off is for all tables, and takes no other member");
    world_set_throttle(c->world, &rules);
    return show_rules(c);
}

static const struct problem *turn_off(struct admin_call *c)
{
    world_set_throttle(c->world, &(struct throttle_rules){.on = false});
    return show_rules(c);
}

const struct admin_verb verb_throttle[] = {
    {"GET", "throttle", ADMIN_OWN, NULL, NULL, show_rules},
    {"POST", "throttle", ADMIN_OWN | ADMIN_CHANGES, "mode burst tables", NULL, change_rules},
    {"DELETE", "throttle", ADMIN_OWN | ADMIN_CHANGES, NULL, NULL, turn_off},
    {0},
};
