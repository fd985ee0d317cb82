/* fuzz_ion.c: items in text Ion. */
#include "fuzz_transfer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct transfer_options options = {.delimiter = '\0'};
    struct arena *a = arena_new();
    struct span items = fuzz_transfer(a, &transfer_format_ion, &options, fuzz_input(a, data, size));

    fuzz_transfer_return(a, &transfer_format_ion, &options, items);
    arena_free(a);
    return 0;
}
