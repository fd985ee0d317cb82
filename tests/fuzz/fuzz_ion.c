/* fuzz_ion.c: items in text Ion. */
#include "fuzz_transfer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct transfer_options options = {.delimiter = '\0'},
                                         by_lines = {.by_lines = true};
    struct arena *a = arena_new();
    struct span text = fuzz_input(a, data, size);
    struct span items = fuzz_transfer(a, &transfer_format_ion, &options, text);

    fuzz_transfer(a, &transfer_format_ion, &by_lines, text);
    fuzz_transfer_return(a, &transfer_format_ion, &options, items);
    arena_free(a);
    return 0;
}
