#include "explain/explain_update.h"

#include "explain/explain_entry.h"
#include "explain/explain_near.h"
#include "model/attr.h"

/* Marks the path, if it is in an UpdateExpression. */
static void mark(struct inquiry *q, const struct refusal *r)
{
    if (r->parameter)
        explain_expression_mark(q, r->parameter, r->text, r->place);
}

/* An operand that the item does not have. */
void explain_update_lacks(struct inquiry *q, const struct refusal *r)
{
    bool in_list = r->why->wanted == ATTR_L;
    struct span name = r->why->operand;
    const char *value = in_list ? ":empty" : ":zero";
    struct item it;

    mark(q, r);
    if (explain_entry_item(q, &it))
        for (size_t i = 0; i < it.len; i++)
            if (explain_near_names(q, name, it.at[i].name))
                inquiry_reason(q, "%.*s is not in the item, it has %.*s", SPAN_ARG(name),
                               SPAN_ARG(it.at[i].name));
    if (q->reason.len)
        return;
    if (r->why->wanted < 0) {
        inquiry_reason(q, "%.*s is not in the item yet: SET copies an attribute that exists",
                       SPAN_ARG(name));
        return;
    }
    inquiry_reason(q, "%.*s is not in the item yet: begin with if_not_exists(%.*s, %s)",
                   SPAN_ARG(name), SPAN_ARG(r->parameter ? r->place : name), value);
    inquiry_line(q, "where %s is in " EXPLAIN_VALUES " as %s", value,
                 in_list ? "{\"L\": []}" : "{\"N\": \"0\"}");
}

/* A target below the first level, whose parent is not in the item or of another type. */
void explain_update_parent(struct inquiry *q, const struct refusal *r)
{
    struct span parent = r->why->operand, whole = r->why->beside;
    enum attr_type wanted = (enum attr_type)r->why->wanted;
    bool is_index = wanted == ATTR_L;

    if (r->why->found >= 0)
        inquiry_reason(q, "%.*s is %s in the item, so %.*s cannot be set: %s takes %s",
                       SPAN_ARG(parent), inquiry_type((enum attr_type)r->why->found),
                       SPAN_ARG(whole), is_index ? "[n]" : "a member", inquiry_type(wanted));
    else if (parent.at[parent.len - 1] == ']')
        inquiry_reason(q,
                       "%.*s is not in the item yet, so %.*s cannot be set: SET %.*s = :new "
                       "appends an element to the list",
                       SPAN_ARG(parent), SPAN_ARG(whole), SPAN_ARG(parent));
    else
        inquiry_reason(q,
                       "%.*s is not in the item yet, so %.*s cannot be set: first SET %.*s = :new, "
                       "with {\":new\": {\"%s\": %s}}",
                       SPAN_ARG(parent), SPAN_ARG(whole), SPAN_ARG(parent), attr_type_code(wanted),
                       is_index ? "[]" : "{}");
    mark(q, r);
}

void explain_update_key(struct inquiry *q, const struct refusal *r)
{
    explain_expression_mark_name(q, "UpdateExpression", r->why->operand);
}
