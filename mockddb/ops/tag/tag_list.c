#include "ops/tag/tag_list.h"

#include "model/limits.h"
#include "ops/op_region.h"
#include "ops/table/table_arn.h"
#include "ops/table/table_state.h"

const struct wire_shape tag_list_arns = {
    .type = WIRE_LIST, .element = &wire_string, WIRE_BOUNDS(1, LIMIT_TAGGED)};
const struct wire_shape tag_list_tags = {
    .type = WIRE_MAP, .element = &wire_string, WIRE_BOUNDS(1, LIMIT_TAGS)};
const struct wire_shape tag_list_keys = {
    .type = WIRE_LIST, .element = &wire_string, WIRE_BOUNDS(1, LIMIT_TAGS)};

/* Finds the table that an ARN names; NULL if there is no such table. */
static const struct error *find_tagged(struct call *c, struct span text, const struct table **out)
{
    struct arn arn;

    *out = NULL;
    if (!table_arn_parse(text, &arn) || !span_is(arn.service, "dynamodb") ||
        !span_equal(arn.region, op_region(c)) || !span_equal(arn.account, c->settings->account) ||
        arn.rest.len || !arn.table.len)
        return NULL;
    return table_state_look_up(c, arn.table, out);
}

static void put_failure(struct wire_writer *w, struct span arn, const char *code, struct span text)
{
    wire_key_span(w, arn);
    wire_open(w, '{');
    wire_put_member_integer(w, "StatusCode", 400);
    wire_put_member_word(w, "ErrorCode", code);
    wire_put_member_text(w, "ErrorMessage", text);
    wire_close(w, '}');
}

static const struct error *apply_to(struct call *c, const struct table *old,
                                    tag_list_change *change, const void *with,
                                    const struct error **wrong)
{
    struct table *t = schema_copy(c->arena, old);

    if ((*wrong = change(c, t, with)))
        return NULL;
    return table_state_keep(c, t);
}

const struct error *tag_list_apply(struct call *c, tag_list_change *change, const void *with)
{
    const wire_node *n = wire_first(wire_get(c->body, "ResourceARNList"));

    wire_key(&c->reply, "FailedResourcesMap");
    wire_open(&c->reply, '{');
    for (; n; n = wire_next(n)) {
        const struct error *e, *wrong = NULL;
        const struct table *t;

        if ((e = find_tagged(c, wire_text(n), &t)) ||
            (t && (e = apply_to(c, t, change, with, &wrong))))
            return e;
        if (!t)
            put_failure(&c->reply, wire_text(n), "InvalidParameterException",
                        SPAN_LIT("There is no table of that ARN"));
        else if (wrong)
            put_failure(&c->reply, wire_text(n), "InvalidParameterException", wrong->message);
    }
    wire_close(&c->reply, '}');
    return NULL;
}
