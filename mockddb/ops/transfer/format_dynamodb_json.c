/* format_dynamodb_json.c: {"Item":{"pk":{"S":"a"}}}, one line per item: DynamoDB's export format.
 * The reader turns all other formats into it. */
#include "model/item_codec.h"
#include "ops/transfer/transfer_frame.h"
#include "wire/wire_body.h"

static void write_item(struct arena *a, struct buf *out, const struct transfer_options *options,
                       const struct item *it)
{
    (void)a;
    (void)options;
    buf_add_text(out, "{\"Item\":");
    item_encode(out, it);
    buf_add_text(out, "}\n");
}

static void write_stored(struct buf *out, const struct transfer_options *options,
                         struct span stored)
{
    (void)options;
    buf_add_text(out, "{\"Item\":");
    buf_add_span(out, stored);
    buf_add_text(out, "}\n");
}

static void write_change(struct buf *out, const struct transfer_change *change)
{
    buf_printf(out, "{\"Metadata\":{\"WriteTimestampMicros\":{\"N\":\"%lld\"}},\"Keys\":",
               (long long)change->micros);
    item_encode(out, &change->keys);
    if (change->old) {
        buf_add_text(out, ",\"OldImage\":");
        item_encode(out, change->old);
    }
    if (change->new) {
        buf_add_text(out, ",\"NewImage\":");
        item_encode(out, change->new);
    }
    buf_add_text(out, "}\n");
}

const struct transfer_format transfer_format_dynamodb_json = {
    .name = "DYNAMODB_JSON",
    .ending = ".json",
    .frame = transfer_frame_json,
    .wrong_at = wire_error_at,
    .write = write_item,
    .write_stored = write_stored,
    .write_change = write_change,
};
