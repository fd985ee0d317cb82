/* fuzz_moving.c: what people import: what it is, and changes. */
#include "fuzz_transfer.h"

#include "moving/moving_changes.h"
#include "moving/moving_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct transfer_options none = {.types = NULL};
    struct arena *a = arena_new();
    struct span text = fuzz_input(a, data, size);
    struct transfer_column *columns;
    struct moving_text whole = moving_text_know(text, true), part = moving_text_know(text, false);

    must(part.kind == whole.kind || part.kind == MOVING_TEXT_UNSURE,
         "what is said of a beginning is true of the text");
    fuzz_transfer(a, &moving_changes_json, &none, text);
    fuzz_transfer(a, &moving_changes_ion, &none, text);
    (void)moving_text_types(a, &none, text, true, &columns);
    arena_free(a);
    return 0;
}
