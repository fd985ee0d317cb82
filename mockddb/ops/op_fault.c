#include "ops/op_fault.h"

#include "model/limits.h"

const struct error *op_fault_repeated_keys(struct arena *a)
{
    return error_validation(a, "Provided list of item keys contains duplicates");
}

const struct error *op_fault_check_entries(struct arena *a, const char *parameter, size_t count)
{
    if (count <= LIMIT_LIST_ENTRIES)
        return NULL;
    return error_parameter(a, "Too many entries in %s: %zu", parameter, count);
}

const struct error *op_fault_duplicate_item(struct arena *a)
{
    return error_new(a, ERROR_DUPLICATE_ITEM, "Duplicate primary key exists in table");
}

const struct error *op_fault_throughput(struct arena *a)
{
    return error_new(a, ERROR_THROUGHPUT_EXCEEDED,
                     "The level of configured provisioned throughput for the table was exceeded. "
                     "Consider increasing your provisioning level with the UpdateTable API.");
}
