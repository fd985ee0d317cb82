#include "patterns/pattern_operation.h"

#include "base/ascii.h"

const struct op *pattern_operation_find(const char *name)
{
    const struct op *op = op_find(OP_DYNAMODB, span_of(name));

    return op ? op : op_find(OP_STREAMS, span_of(name));
}

/* Whether the statement's first word is SELECT, in any case; leading blanks are skipped. */
static bool is_select(struct span statement)
{
    static const char word[] = "SELECT";
    size_t i, start = 0;

    while (start < statement.len && ascii_is_blank(statement.at[start]))
        start++;
    for (i = 0; i < sizeof word - 1; i++)
        if (start + i >= statement.len || (statement.at[start + i] & ~0x20) != word[i])
            return false;
    return true;
}

bool pattern_operation_writes(const struct op *op, const wire_node *request)
{
    if (op->form == OP_STATEMENT)
        return !is_select(wire_text(wire_get(request, "Statement")));
    return op->access != OP_READS;
}

size_t pattern_operation_keys(const struct op *op, const wire_node *request)
{
    size_t sum = 0;

    if (op->form == OP_GET)
        return 1;
    if (op->form == OP_TRANSACT_GET)
        return wire_count(wire_get(request, "TransactItems"));
    if (op->form == OP_BATCH_GET)
        for (const wire_node *table = wire_first(wire_get(request, "RequestItems")); table;
             table = wire_next(table))
            sum += wire_count(wire_get(table, "Keys"));
    return sum;
}
