#include "ops/transfer/transfer_format.h"

#include "model/item_codec.h"

static const struct transfer_format *const formats[] = {
    &transfer_format_dynamodb_json,
    &transfer_format_ion,
    &transfer_format_csv,
    &transfer_format_jsonl,
};

const struct transfer_format *transfer_format_find(struct span name)
{
    for (size_t i = 0; i < COUNT(formats); i++)
        if (span_is(name, formats[i]->name))
            return formats[i];
    return NULL;
}

void transfer_format_begin(const struct transfer_format *f, const struct transfer_options *options,
                           struct buf *out)
{
    if (f->begin)
        f->begin(out, options);
}

void transfer_format_write(const struct transfer_format *f, const struct transfer_options *options,
                           struct arena *a, struct buf *out, const struct item *it)
{
    f->write(a, out, options, it);
}

void transfer_format_write_stored(const struct transfer_format *f,
                                  const struct transfer_options *options, struct arena *a,
                                  struct buf *out, struct span stored)
{
    struct item it;

    if (f->write_stored) {
        f->write_stored(out, options, stored);
        return;
    }
    it = item_decode(a, stored);
    f->write(a, out, options, &it);
}
