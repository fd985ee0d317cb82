/* fuzz_moving.c: what people import: what it is, items in lists and answers, and changes. */
#include "fuzz_transfer.h"

#include "moving/moving_changes.h"
#include "moving/moving_format.h"
#include "moving/moving_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct transfer_options bare = {.bare = true}, typed = {.bare = false};
    struct arena *a = arena_new();
    struct span text = fuzz_input(a, data, size);
    struct transfer_column *columns;
    struct moving_text whole = moving_text_know(text, true), part = moving_text_know(text, false);

    must(part.kind == whole.kind || part.kind == MOVING_TEXT_UNSURE,
         "what is said of a beginning is true of the text");
    fuzz_transfer(a, &moving_format_dynamodb, &bare, text);
    fuzz_transfer(a, &moving_format_answers, &bare, text);
    fuzz_transfer(a, &moving_format_plain, &typed, text);
    fuzz_transfer(a, &moving_changes_json, &typed, text);
    fuzz_transfer(a, &moving_changes_ion, &typed, text);
    (void)moving_text_types(a, &typed, text, true, &columns);
    arena_free(a);
    return 0;
}
