/* fuzz_transfer.h: what must hold of every format in which items come and leave. */
#pragma once

#include "fuzz.h"

#include "model/item_codec.h"
#include "ops/transfer/transfer_reader.h"

/* All that a text says, whatever parts it comes in: items one by one, and what is wrong where. */
static inline struct span fuzz_transfer_read(struct arena *a, const struct transfer_format *f,
                                             const struct transfer_options *options,
                                             struct span text, size_t part)
{
    struct transfer_reader *r = transfer_reader_new(f, options);
    struct buf out = buf_in(a);

    for (;;) {
        struct transfer_record record;
        struct transfer_fault fault;
        enum transfer_reading what = transfer_reader_next(r, a, &record, &fault);
        size_t len = text.len < part ? text.len : part;

        if (what == TRANSFER_END)
            break;
        if (what == TRANSFER_MORE && !len)
            transfer_reader_end(r);
        if (what == TRANSFER_MORE) {
            transfer_reader_feed(r, (struct span){text.at, len});
            text = span_from(text, len);
        } else if (what == TRANSFER_ITEM) {
            item_encode(&out, &record.item);
            buf_add_char(&out, '\n');
        } else {
            buf_printf(&out, "! %d %zu:%zu ", (int)what, fault.line, fault.column);
            buf_add_span(&out, fault.text);
            buf_add_char(&out, '\n');
        }
    }
    transfer_reader_free(r);
    return buf_span(&out);
}

/* Written and read again, each item that was read is the same. */
static inline void fuzz_transfer_return(struct arena *a, const struct transfer_format *f,
                                        const struct transfer_options *options, struct span items)
{
    while (items.len) {
        struct span item = fuzz_line(&items);
        struct buf text = buf_in(a), again = buf_in(a);

        if (!item.len || item.at[0] != '{')
            continue;
        buf_add_span(&again, item);
        buf_add_char(&again, '\n');
        transfer_format_write_stored(f, options, a, &text, item);
        must(span_equal(fuzz_transfer_read(a, f, options, buf_span(&text), 1000), buf_span(&again)),
             "an item comes back as it left");
    }
}

static inline struct span fuzz_transfer(struct arena *a, const struct transfer_format *f,
                                        const struct transfer_options *options, struct span text)
{
    struct span whole = fuzz_transfer_read(a, f, options, text, text.len + 1);

    must(span_equal(whole, fuzz_transfer_read(a, f, options, text, 1)),
         "the parts in which a text comes make no difference");
    must(span_equal(whole, fuzz_transfer_read(a, f, options, text, 7)),
         "the parts in which a text comes make no difference");
    return whole;
}
