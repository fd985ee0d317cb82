/* fuzz_template.c: templates in YAML and JSON, of all sources. */
#include "fuzz.h"

#include "templates/template.h"
#include "wire/wire_body.h"

static void check_body(struct arena *a, struct span body)
{
    const wire_node *root;

    must(!wire_parse(a, body, &root) && !wire_repeated(root).at, "a request is a JSON object");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct option_pair stage = {SPAN_LIT("Stage"), SPAN_LIT("test"), false};
    const struct template_options options = {
        {&stage, 1}, SPAN_LIT("us-east-1"), SPAN_LIT("123456789012")};
    struct arena *a = arena_new();
    const struct problem *p;
    struct template *t;

    p = template_read(a, "file", fuzz_input(a, data, size), &options, &t);
    must(!p || p->file, "a problem names its file");
    for (size_t i = 0; !p && i < template_count(t); i++) {
        struct fixture_table table;

        if (template_requests(t, i, SPAN_LIT("table"), &table))
            continue;
        check_body(a, table.create_table);
        for (size_t k = 0; k < table.after_count; k++)
            check_body(a, table.after[k].body);
    }
    while (!p && template_next_note(t))
        ;
    arena_free(a);
    return 0;
}
