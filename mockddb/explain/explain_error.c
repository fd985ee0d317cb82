#include "explain/explain_error.h"

#include "explain/explain_batch.h"
#include "explain/explain_condition.h"
#include "explain/explain_empty.h"
#include "explain/explain_entry.h"
#include "explain/explain_expression.h"
#include "explain/explain_failed.h"
#include "explain/explain_key.h"
#include "explain/explain_limits.h"
#include "explain/explain_names.h"
#include "explain/explain_operand.h"
#include "explain/explain_statement.h"
#include "explain/explain_table.h"
#include "explain/explain_update.h"
#include "explain/explain_value.h"
#include "ops/op_fault.h"

typedef void finder(struct inquiry *q);

/* In the order in which the service looks at a request; the first that finds something wins. */
static const struct {
    finder *find;
    bool each; /* it looks at the inquiry's entry */
} finders[] = {
    {explain_limits_returns, false}, {explain_table, false},     {explain_statement, false},
    {explain_value, false},          {explain_expression, true}, {explain_operand, true},
    {explain_batch, false},          {explain_names, false},     {explain_key, false},
    {explain_condition, false},      {explain_update, true},     {explain_limits_size, true},
};

/* A pointer to a function that fits where data is passed. */
struct one_finder {
    finder *find;
};

static void look_with(struct inquiry *q, void *data)
{
    const struct one_finder *one = data;

    one->find(q);
}

static void find_with(struct inquiry *q, finder *find, bool each)
{
    struct one_finder one = {find};

    if (each)
        explain_entry_each(q, look_with, &one);
    else
        find(q);
}

void explain_error(struct inquiry *q)
{
    enum error_kind kind = q->failure;

    if (kind == ERROR_RESOURCE_NOT_FOUND)
        explain_names(q);
    if (kind == ERROR_RESOURCE_IN_USE)
        explain_table_exists(q);
    if (kind == ERROR_SERIALIZATION)
        explain_value_plain(q);
    if (kind == ERROR_CONDITION_FAILED || kind == ERROR_DUPLICATE_ITEM ||
        kind == ERROR_TRANSACTION_CANCELED)
        find_with(q, explain_failed, true);
    if (kind != ERROR_VALIDATION && kind != ERROR_TRANSACTION_CANCELED)
        return;
    for (size_t i = 0; i < COUNT(finders) && !q->reason.len; i++)
        find_with(q, finders[i].find, finders[i].each);
}

/* --- statements of a batch -------------------------------------------------------------------- */

/* The kinds of error that are looked into, which a member has as a Code. */
static enum error_kind kind_of(struct span code)
{
    static const enum error_kind kinds[] = {ERROR_VALIDATION, ERROR_RESOURCE_NOT_FOUND,
                                            ERROR_CONDITION_FAILED, ERROR_DUPLICATE_ITEM};

    for (size_t i = 0; i < COUNT(kinds); i++)
        if (span_is(code, op_fault_code(kinds[i])))
            return kinds[i];
    return ERROR_NONE;
}

/* A SELECT that gave nothing. */
static void look_at_empty(struct inquiry *q)
{
    struct targets targets = explain_read_statement(q);

    if (targets.count == 1 && explain_empty_item(q, &targets.at[0]))
        explain_failed(q);
}

struct member {
    const wire_node *answer;
};

static void look_at_member(struct inquiry *q, void *data)
{
    const struct member *m = data;
    const wire_node *error = wire_get(m->answer, "Error");

    q->failure = kind_of(wire_text(wire_get(error, "Code")));
    if (q->failure == ERROR_RESOURCE_NOT_FOUND)
        explain_names(q);
    else if (q->failure == ERROR_VALIDATION)
        explain_statement(q);
    else if (q->failure != ERROR_NONE)
        explain_failed(q);
    else if (!error && !wire_get(m->answer, "Item"))
        look_at_empty(q);
    q->failure = ERROR_NONE;
}

void explain_error_members(struct inquiry *q)
{
    const wire_node *entry = wire_first(wire_get(q->call.body, "Statements")), *reply;
    struct member m;
    size_t at = 0;

    if (!entry || wire_parse(q->arena, q->record->reply, &reply))
        return;
    m.answer = wire_first(wire_get(reply, "Responses"));
    for (; entry && m.answer; entry = wire_next(entry), m.answer = wire_next(m.answer))
        explain_entry_look(q, entry, arena_printf(q->arena, "statement %zu: ", ++at),
                           look_at_member, &m);
}
