/* fuzz_json_lines.c: items in DynamoDB's JSON and in plain JSON. */
#include "fuzz_transfer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct transfer_options wrapped = {.bare = false}, bare = {.bare = true};
    struct arena *a = arena_new();
    struct span text = fuzz_input(a, data, size), items;

    items = fuzz_transfer(a, &transfer_format_dynamodb_json, &wrapped, text);
    fuzz_transfer_return(a, &transfer_format_dynamodb_json, &wrapped, items);
    items = fuzz_transfer(a, &transfer_format_dynamodb_json, &bare, text);
    fuzz_transfer_return(a, &transfer_format_dynamodb_json, &bare, items);
    fuzz_transfer(a, &transfer_format_jsonl, &wrapped, text);
    arena_free(a);
    return 0;
}
