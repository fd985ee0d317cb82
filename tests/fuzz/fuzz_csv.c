/* fuzz_csv.c: items in CSV, whose header comes first. */
#include "fuzz_transfer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct transfer_column types[] = {
        {SPAN_LIT_INIT("n"), ATTR_N},    {SPAN_LIT_INIT("b"), ATTR_B},
        {SPAN_LIT_INIT("t"), ATTR_BOOL}, {SPAN_LIT_INIT("z"), ATTR_NULL},
        {SPAN_LIT_INIT("l"), ATTR_L},
    };
    const struct transfer_options options = {
        .delimiter = ';', .types = types, .type_count = COUNT(types)};
    struct arena *a = arena_new();

    fuzz_transfer(a, &transfer_format_csv, &options, fuzz_input(a, data, size));
    arena_free(a);
    return 0;
}
