/* fuzz_body.c: request bodies. The first line names an operation, the rest is the body: parsed,
 * checked against the operation's members, and read as values in both layers. */
#include "fuzz.h"

#include "model/item_codec.h"
#include "ops/op.h"
#include "wire/wire_attr.h"
#include "wire/wire_print.h"

static const struct op *find_op(struct span name)
{
    const struct op *op = NULL;

    for (int service = 0; !op && service < OP_SERVICE_COUNT; service++)
        op = op_find((enum op_service)service, name);
    return op ? op : op_find(OP_DYNAMODB, SPAN_LIT("PutItem"));
}

static struct span printed(struct arena *a, const wire_node *node)
{
    struct buf out = buf_in(a);

    wire_print_json(&out, node);
    return buf_span(&out);
}

/* What was parsed can be printed, and the print parses as the same. */
static void check_print(struct arena *a, const wire_node *body)
{
    struct span text = printed(a, body);
    const wire_node *again;

    must(!wire_parse(a, text, &again), "printed JSON is JSON");
    must(span_equal(printed(a, again), text), "printing is stable");
}

static void check_members(struct arena *a, const struct op *op, const wire_node *body)
{
    const struct error *e = wire_check_types(a, op->members, body);

    if (e) {
        must(e->kind == ERROR_SERIALIZATION, "wrong JSON types are a SerializationException");
        return;
    }
    wire_is_classic(op->members, body);
    if ((e = wire_check_members(a, op->members, body)))
        must(e->kind == ERROR_VALIDATION && e->message.len, "a broken constraint has a message");
}

/* Values that were read encode to text that decodes as the same. */
static void check_values(struct arena *a, const wire_node *body, enum wire_layer layer)
{
    static const struct wire_member members[] = {{"Item", &wire_attr_map, 0}, {NULL, NULL, 0}};
    const wire_node *node = wire_get(body, "Item");
    struct buf text = buf_in(a);
    struct item it, again;

    if (!node || wire_check_types(a, members, body) || wire_read_item(a, node, layer, &it))
        return;
    item_encode(&text, &it);
    must(item_decode_checked(a, buf_span(&text), &again), "what was read can be stored");
    must(item_equal(&it, &again), "what was stored is what was read");
    must(item_size(&it) == item_size(&again), "the size is kept");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct span rest = fuzz_input(a, data, size);
    const struct op *op = find_op(fuzz_line(&rest));
    const wire_node *body;

    if (!wire_parse(a, rest, &body)) {
        check_print(a, body);
        check_members(a, op, body);
        check_values(a, body, WIRE_LAYER_CURRENT);
        check_values(a, body, WIRE_LAYER_OLDER);
    }
    arena_free(a);
    return 0;
}
