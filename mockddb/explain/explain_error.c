#include "explain/explain_error.h"

#include "explain/explain_batch.h"
#include "explain/explain_condition.h"
#include "explain/explain_entry.h"
#include "explain/explain_expression.h"
#include "explain/explain_failed.h"
#include "explain/explain_key.h"
#include "explain/explain_names.h"
#include "explain/explain_operand.h"
#include "explain/explain_statement.h"
#include "explain/explain_update.h"
#include "explain/explain_value.h"

typedef void finder(struct inquiry *q);

/* In the order in which the service looks at a request; the first that finds something wins. */
static const struct {
    finder *find;
    bool each; /* it looks at the inquiry's entry */
} finders[] = {
    {explain_statement, false}, {explain_value, false},     {explain_expression, true},
    {explain_operand, true},    {explain_batch, false},     {explain_names, false},
    {explain_key, false},       {explain_condition, false}, {explain_update, true},
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
    enum error_kind kind = q->record->error->kind;

    if (kind == ERROR_RESOURCE_NOT_FOUND)
        explain_names(q);
    if (kind == ERROR_CONDITION_FAILED || kind == ERROR_TRANSACTION_CANCELED)
        find_with(q, explain_failed, true);
    if (kind != ERROR_VALIDATION && kind != ERROR_TRANSACTION_CANCELED)
        return;
    for (size_t i = 0; i < COUNT(finders) && !q->reason.len; i++)
        find_with(q, finders[i].find, finders[i].each);
}
