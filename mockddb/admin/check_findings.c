#include "admin/check_findings.h"

#include "base/one_more.h"
#include "model/item_codec.h"

struct check_finding *check_findings_add(struct check_findings *f, const char *kind,
                                         struct span table, struct span index,
                                         struct span attribute, const char *fmt, ...)
{
    struct check_finding *one;
    va_list args;

    if (f->len == CHECK_FINDINGS) {
        f->more++;
        return NULL;
    }
    f->at = one_more(f->arena, f->at, f->len, sizeof *f->at);
    one = &f->at[f->len++];
    *one = (struct check_finding){.kind = kind,
                                  .table = arena_span(f->arena, table),
                                  .index = arena_span(f->arena, index),
                                  .attribute = arena_span(f->arena, attribute)};
    va_start(args, fmt);
    one->text = span_of(arena_vprintf(f->arena, fmt, args));
    va_end(args);
    return one;
}

static void put_key(const struct check_findings *f, const struct item *key,
                    const struct journal_options *masks, struct wire_writer *w)
{
    wire_open_member(w, "key", '{');
    for (size_t i = 0; i < key->len; i++) {
        struct buf value = buf_in(f->arena);

        wire_key_span(w, key->at[i].name);
        attr_encode(&value, &key->at[i].value);
        if (journal_mask_has(masks, key->at[i].name))
            wire_put_text(w, SPAN_LIT(JOURNAL_MASKED));
        else
            wire_put_raw(w, buf_span(&value));
    }
    wire_close(w, '}');
}

void check_findings_show(const struct check_findings *f, const struct journal_options *masks,
                         struct wire_writer *w)
{
    wire_open_member(w, "findings", '[');
    for (size_t i = 0; i < f->len; i++) {
        const struct check_finding *one = &f->at[i];

        wire_open(w, '{');
        wire_put_member_word(w, "kind", one->kind);
        wire_put_set_text(w, "table", one->table);
        wire_put_set_text(w, "index", one->index);
        wire_put_set_text(w, "attribute", one->attribute);
        wire_put_member_text(w, "text", one->text);
        if (one->items)
            wire_put_member_integer(w, "items", (int64_t)one->items);
        if (one->key.len)
            put_key(f, &one->key, masks, w);
        wire_close(w, '}');
    }
    wire_close(w, ']');
    wire_put_member_integer(w, "more", (int64_t)f->more);
}
