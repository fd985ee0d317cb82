/* fuzz_forms.c: bodies of the protocols besides JSON. CBOR that is read becomes JSON, if its texts
 * are UTF-8; so does each form. What comes of it as CBOR is read again, and as XML has its elements
 * closed. */
#include "fuzz.h"

#include "base/utf8.h"
#include "ops/op.h"
#include "wire/wire_cbor.h"
#include "wire/wire_query.h"

static void check_cbor(struct arena *a, const struct op *op, struct span bytes)
{
    const wire_node *body;
    struct buf again = buf_in(a);
    struct span json;

    if (!wire_cbor_read(a, bytes, &json))
        return;
    if (wire_parse(a, json, &body)) {
        must(!utf8_valid(json) || json.at[0] != '{', "an object of UTF-8 becomes JSON");
        return;
    }
    if (wire_check_types(a, op->members, body))
        return;
    wire_cbor_write(&again, op->members, body);
    must(wire_cbor_read(a, buf_span(&again), &json), "what is written can be read");
}

static void check_form(struct arena *a, const struct op *op, struct span bytes)
{
    struct buf xml = buf_in(a);
    struct wire_form form;
    const wire_node *body;
    struct span json;
    size_t open = 0, closed = 0;

    if (!wire_query_read(a, bytes, &form))
        return;
    json = wire_query_json(a, op->members, &form);
    if (wire_parse(a, json, &body)) {
        must(!utf8_valid(json), "a form of UTF-8 becomes JSON");
        return;
    }
    if (wire_check_types(a, op->members, body))
        return;
    wire_query_xml(a, &xml, op->members, body);
    for (size_t i = 0; i < xml.len; i++) {
        open += xml.at[i] == '<';
        closed += xml.at[i] == '/' && i && xml.at[i - 1] == '<';
    }
    must(open == 2 * closed, "each element is closed");
}

/* The first byte says whether it is CBOR. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct op *op = op_find(OP_MONITORING, SPAN_LIT("GetMetricData"));
    struct arena *a = arena_new();
    struct span bytes = fuzz_input(a, data, size);

    if (size && bytes.at[0] == 'c')
        check_cbor(a, op, span_from(bytes, 1));
    else if (size)
        check_form(a, op, span_from(bytes, 1));
    arena_free(a);
    return 0;
}
