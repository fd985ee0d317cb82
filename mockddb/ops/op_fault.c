#include "ops/op_fault.h"

#include "ops/throttle/throttle_error.h"

const struct error *op_fault_repeated_keys(struct arena *a, struct span table, size_t first,
                                           size_t second)
{
    return error_caused(a, ERROR_VALIDATION,
                        ERROR_WHY(CAUSE_ENTRY_TWICE, .operand = table, .count = first + 1,
                                  .found = (int)second + 1),
                        "Provided list of item keys contains duplicates");
}

const struct error *op_fault_many_items(struct call *c, size_t count, size_t limit)
{
    return error_caused(c->arena, ERROR_VALIDATION,
                        ERROR_WHY(CAUSE_MEMBER_MANY, .operand = SPAN_LIT("RequestItems"),
                                  .count = count,
                                  .beside = span_of(arena_printf(c->arena, "%zu", limit))),
                        "Too many items requested for the %s call", c->op->name);
}

const struct error *op_fault_check_entries(struct arena *a, const char *parameter, size_t count)
{
    if (count <= LIMIT_LIST_ENTRIES)
        return NULL;
    return error_parameter(a, "Too many entries in %s: %zu", parameter, count);
}

const struct error *op_fault_size(struct arena *a)
{
    return error_bare(
        a, error_caused(a, ERROR_VALIDATION, ERROR_WHY(CAUSE_ITEM_SIZE), ERROR_ITEM_SIZE));
}

const struct error *op_fault_updated_size(struct arena *a)
{
    return error_caused(a, ERROR_VALIDATION, ERROR_WHY(CAUSE_ITEM_SIZE),
                        "Item size to update has exceeded the maximum allowed size");
}

const struct error *op_fault_duplicate_item(struct arena *a)
{
    return error_new(a, ERROR_DUPLICATE_ITEM, OP_FAULT_DUPLICATE);
}

const struct error *op_fault_throughput(struct arena *a)
{
    return error_new(a, ERROR_THROUGHPUT_EXCEEDED, "%s", throttle_error_exceeded);
}

static const struct {
    enum error_kind kind;
    const char *code;
} member_codes[] = {
    {ERROR_ACCESS_DENIED, "AccessDenied"},
    {ERROR_CONDITION_FAILED, "ConditionalCheckFailed"},
    {ERROR_DUPLICATE_ITEM, "DuplicateItem"},
    {ERROR_ITEM_COLLECTION_SIZE, "ItemCollectionSizeLimitExceeded"},
    {ERROR_REQUEST_LIMIT, "RequestLimitExceeded"},
    {ERROR_RESOURCE_NOT_FOUND, "ResourceNotFound"},
    {ERROR_THROTTLING, "ThrottlingError"},
    {ERROR_THROUGHPUT_EXCEEDED, "ProvisionedThroughputExceeded"},
    {ERROR_TRANSACTION_CONFLICT, "TransactionConflict"},
};

const struct error *op_fault_no_index(struct arena *a, const struct table *t, struct span name)
{
    return error_caused(a, ERROR_RESOURCE_NOT_FOUND,
                        ERROR_WHY(CAUSE_NO_INDEX, .operand = name, .beside = t->name),
                        "Requested resource not found: Index %.*s for table %.*s", SPAN_ARG(name),
                        SPAN_ARG(t->name));
}

const char *op_fault_code(enum error_kind kind)
{
    for (size_t i = 0; i < COUNT(member_codes); i++)
        if (member_codes[i].kind == kind)
            return member_codes[i].code;
    return "ValidationError";
}
