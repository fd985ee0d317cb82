#include "ops/table/table_member.h"

/* --- TableClass ------------------------------------------------------------------------------- */

static const struct error *check_class(struct call *c, const struct attr *asked)
{
    if (names_find(names_table_classes, asked->bytes, -1) >= 0)
        return NULL;
    return error_caused(c->arena, ERROR_VALIDATION,
                        ERROR_WHY(CAUSE_MEMBER_WORD, .operand = SPAN_LIT("TableClass"),
                                  .place = wire_raw(wire_get(c->body, "TableClass")),
                                  .beside = SPAN_LIT("STANDARD, STANDARD_INFREQUENT_ACCESS")),
                        "Invalid table-class parameter provided. Please try again with a valid "
                        "table-class value: [STANDARD, STANDARD_INFREQUENT_ACCESS].");
}

/* Two changes in 30 days. */
static const struct error *check_class_change(struct call *c, const struct table *t)
{
    if (!t->table_class_before_ms ||
        clock_now_ms(c->clock) - t->table_class_before_ms >= LIMIT_CLASS_CHANGE_DAY_MS)
        return NULL;
    return error_new(c->arena, ERROR_LIMIT_EXCEEDED,
                     "Subscriber limit exceeded: Updates to TableClass are limited to 2 times in "
                     "30 day(s).");
}

static bool change_class(struct call *c, struct table *t, const struct attr *asked)
{
    struct span now = t->table_class.len ? t->table_class : span_of(names_table_classes[0]);

    if (span_equal(asked->bytes, now))
        return false;
    t->next_table_class = arena_span(t->arena, asked->bytes);
    op_transition_begin(c, t, CHANGE_CLASS);
    return true;
}

/* --- the rules of members --------------------------------------------------------------------- */

/* A member that UpdateTable does not simply set; each has all three functions. */
static const struct member_rule {
    size_t member;
    const struct error *(*check)(struct call *c, const struct attr *asked);
    const struct error *(*check_change)(struct call *c, const struct table *t);
    bool (*change)(struct call *c, struct table *t, const struct attr *asked);
    size_t changed_ms; /* the time of its last change, a member of the table */
} rules[] = {
    {TABLE_MEMBER(table_class), check_class, check_class_change, change_class,
     TABLE_MEMBER(table_class_ms)},
};

static const struct member_rule *find_rule(const struct schema_member *row)
{
    for (size_t i = 0; i < COUNT(rules); i++)
        if (rules[i].member == row->offset)
            return &rules[i];
    return NULL;
}

/* --- lists ------------------------------------------------------------------------------------ */

const struct attr *table_member_given(const struct member_list *list, size_t member)
{
    for (size_t i = 0; i < list->len; i++)
        if (list->at[i].row->offset == member)
            return &list->at[i].value;
    return NULL;
}

struct member_list table_member_shared(struct arena *a, const struct member_list *list,
                                       size_t except)
{
    struct member_list shared = {.at = arena_array(a, list->len, sizeof *shared.at)};

    for (size_t i = 0; i < list->len; i++)
        if ((list->at[i].row->uses & SCHEMA_REPLICATE) && list->at[i].row->offset != except)
            shared.at[shared.len++] = list->at[i];
    return shared;
}

/* --- requests --------------------------------------------------------------------------------- */

const struct error *table_member_check(struct call *c, const struct table_spec *spec)
{
    const struct member_list *list = &spec->members;
    const struct error *e = NULL;

    for (size_t i = 0; !e && i < list->len; i++)
        if (find_rule(list->at[i].row))
            e = find_rule(list->at[i].row)->check(c, &list->at[i].value);
    return e;
}

const struct error *table_member_check_change(struct call *c, const struct table *t,
                                              const struct table_spec *spec)
{
    const struct error *e = NULL;

    for (size_t i = 0; !e && i < spec->members.len; i++)
        if (find_rule(spec->members.at[i].row))
            e = find_rule(spec->members.at[i].row)->check_change(c, t);
    return e;
}

/* The service leaves out the "Enabled" of names. */
const struct error *table_member_not_alone(struct call *c, const struct member_spec *m)
{
    struct span name = span_of(m->row->wire), enabled = SPAN_LIT("Enabled");

    if (name.len > enabled.len && span_equal(span_from(name, name.len - enabled.len), enabled))
        name.len -= enabled.len;
    return error_parameter(c->arena, "%.*s modification must be the only operation in the request",
                           SPAN_ARG(name));
}

void table_member_set(struct table *draft, const struct member_list *list)
{
    for (size_t i = 0; i < list->len; i++)
        (void)schema_members_set(draft->arena, list->at[i].row, &list->at[i].value, draft);
}

void table_member_copy(struct table *draft, const struct table *from, unsigned uses)
{
    for (const struct schema_member *m = NULL; (m = schema_members_next(m, uses));) {
        struct attr value = schema_members_get(draft->arena, m, from);

        (void)schema_members_set(draft->arena, m, &value, draft);
    }
}

bool table_member_change(struct call *c, struct table *draft, const struct member_list *list)
{
    bool changes = true;

    for (size_t i = 0; i < list->len; i++) {
        const struct member_rule *rule = find_rule(list->at[i].row);

        if (rule)
            changes &= rule->change(c, draft, &list->at[i].value);
        else
            (void)schema_members_set(draft->arena, list->at[i].row, &list->at[i].value, draft);
    }
    return changes;
}

/* --- the description -------------------------------------------------------------------------- */

/* Texts that are empty and numbers that are 0 are left out. */
static void describe_member(struct wire_writer *w, const struct table *t,
                            const struct schema_member *m)
{
    const struct member_rule *rule = find_rule(m);
    struct attr value = schema_members_get(w->out->arena, m, t);
    int64_t changed_ms = 0;

    if (value.type == ATTR_BOOL ? false : !value.bytes.len || span_is(value.bytes, "0"))
        return;
    if (m->summary) {
        wire_open_member(w, m->summary, '{');
    }
    wire_key(w, m->wire);
    if (value.type == ATTR_S)
        wire_put_text(w, value.bytes);
    else if (value.type == ATTR_N)
        wire_put_raw(w, value.bytes);
    else
        wire_put_bool(w, value.boolean);
    if (!m->summary)
        return;
    if (rule)
        memcpy(&changed_ms, (const char *)t + rule->changed_ms, sizeof changed_ms);
    wire_put_set_time(w, "LastUpdateDateTime", changed_ms);
    wire_close(w, '}');
}

void table_member_describe(struct wire_writer *w, const struct table *t)
{
    for (const struct schema_member *m = NULL; (m = schema_members_next(m, ~0u));)
        describe_member(w, t, m);
}
