#include "stream_lambda/lambda_event.h"

#include "base/ascii.h"
#include "wire/json.h"

static void add_name(struct buf *out, struct span name)
{
    buf_add_json_string(out, name);
    buf_add_char(out, ':');
}

/* {"PrincipalId": …, "Type": …} → {"principalId": …, "type": …} */
static void add_identity(struct buf *out, const wire_node *identity)
{
    buf_add_char(out, '{');
    for (const wire_node *member = wire_first(identity); member; member = wire_next(member)) {
        char *name = arena_text(out->arena, wire_name(member));

        *name = ascii_lower(*name);
        add_name(out, span_of(name));
        json_write(out, member);
        if (wire_next(member))
            buf_add_char(out, ',');
    }
    buf_add_char(out, '}');
}

struct span lambda_event_record(struct arena *a, const wire_node *record, struct span stream_arn)
{
    struct buf out = buf_in(a);

    buf_add_char(&out, '{');
    for (const wire_node *member = wire_first(record); member; member = wire_next(member)) {
        add_name(&out, wire_name(member));
        if (span_is(wire_name(member), "userIdentity"))
            add_identity(&out, member);
        else
            json_write(&out, member);
        buf_add_char(&out, ',');
    }
    add_name(&out, SPAN_LIT("eventSourceARN"));
    buf_add_json_string(&out, stream_arn);
    buf_add_char(&out, '}');
    return buf_span(&out);
}
