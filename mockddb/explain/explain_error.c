#include "explain/explain_error.h"

#include "explain/explain_batch.h"
#include "explain/explain_condition.h"
#include "explain/explain_expression.h"
#include "explain/explain_key.h"
#include "explain/explain_names.h"
#include "explain/explain_update.h"

/* In the order in which the service looks at a request; the first that finds something wins. */
static void (*const finders[])(struct inquiry *q) = {
    explain_expression, explain_batch,     explain_names,
    explain_key,        explain_condition, explain_update,
};

void explain_error(struct inquiry *q)
{
    enum error_kind kind = q->record->error->kind;

    if (kind == ERROR_RESOURCE_NOT_FOUND)
        explain_names(q);
    if (kind != ERROR_VALIDATION)
        return;
    for (size_t i = 0; i < COUNT(finders) && !q->reason.len; i++)
        finders[i](q);
}
