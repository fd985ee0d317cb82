/* fuzz_moving.c: what people import: what it is, and changes. */
#include "fuzz_transfer.h"

#include "moving/moving_changes.h"
#include "moving/moving_columns.h"
#include "moving/moving_model.h"
#include "moving/moving_text.h"

/* The sample data of a text that comes in such parts, and what is wrong. */
static struct span samples(struct arena *a, struct span text, size_t part)
{
    struct moving_model *m = moving_model_new();
    struct moving_model_run run;
    struct buf out = buf_in(a);
    const char *problem = NULL;
    size_t tables = 0;

    for (int time = 0; time < 2 && !problem; time++) {
        for (struct span rest = text; rest.len && !problem;) {
            struct span now = {rest.at, rest.len < part ? rest.len : part};

            rest = span_from(rest, now.len);
            while (now.len && !(problem = moving_model_take(m, &now, &run)))
                if (run.is_data)
                    buf_add_span(&out, run.text);
        }
        if (time == 0 && !problem)
            problem = moving_model_read(m, &tables);
        moving_model_again(m);
    }
    buf_printf(&out, "%zu %s", tables, problem ? problem : "");
    moving_model_free(m);
    return buf_span(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct transfer_options none = {.types = NULL}, by_lines = {.by_lines = true};
    struct arena *a = arena_new();
    struct span text = fuzz_input(a, data, size);
    struct transfer_column *columns;
    struct moving_text whole = moving_text_know(text, true), part = moving_text_know(text, false);

    must(part.kind == whole.kind || part.kind == MOVING_TEXT_UNSURE,
         "what is said of a beginning is true of the text");
    fuzz_transfer(a, &moving_changes_json, &none, text);
    fuzz_transfer(a, &moving_changes_ion, &none, text);
    fuzz_transfer(a, &moving_model_samples, &by_lines, text);
    (void)moving_columns_keys(a, &transfer_format_csv, text, true, &columns);
    must(span_equal(samples(a, text, text.len + 1), samples(a, text, 1)),
         "the parts in which a model comes make no difference");
    arena_free(a);
    return 0;
}
