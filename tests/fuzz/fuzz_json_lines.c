/* fuzz_json_lines.c: items in DynamoDB's JSON, as exports have it and as tools print it, and in
 * plain JSON. */
#include "fuzz_transfer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct transfer_options none = {.types = NULL}, by_lines = {.by_lines = true};
    struct arena *a = arena_new();
    struct span text = fuzz_input(a, data, size), items;

    items = fuzz_transfer(a, &transfer_format_dynamodb_json, &none, text);
    fuzz_transfer_return(a, &transfer_format_dynamodb_json, &none, items);
    items = fuzz_transfer(a, &transfer_format_printed, &none, text);
    fuzz_transfer_return(a, &transfer_format_printed, &none, items);
    fuzz_transfer(a, &transfer_format_jsonl, &none, text);
    fuzz_transfer(a, &transfer_format_printed, &by_lines, text);
    fuzz_transfer(a, &transfer_format_jsonl, &by_lines, text);
    arena_free(a);
    return 0;
}
