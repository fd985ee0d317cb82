#include "client/client_answer.h"

#include "base/attributes.h"
#include "base/cut.h"

bool client_answer_read(struct arena *a, int status, struct span text, struct client_answer *out)
{
    struct span type;

    *out = (struct client_answer){.status = status, .text = text};
    if (wire_parse(a, text, &out->body))
        return false;
    if (status == 200)
        return true;
    /* "com.amazon.coral.validate#ValidationException" → "ValidationException" */
    type = wire_text(wire_get(out->body, "__type"));
    if (span_has(type, '#'))
        (void)cut_part(&type, '#');
    out->error_type = type;
    if (!out->error_type.len)
        out->error_type = SPAN_LIT("an error without a type");
    out->message = wire_text(wire_get(out->body, "message"));
    if (!out->message.len)
        out->message = wire_text(wire_get(out->body, "Message"));
    return true;
}

const char *client_answer_error(struct arena *a, const struct client_answer *answer)
{
    return arena_printf(a, "%.*s%s%.*s", SPAN_ARG(answer->error_type),
                        answer->message.len ? ": " : "", SPAN_ARG(answer->message));
}

bool client_answer_is_passing(const struct client_answer *answer)
{
    static const char *const errors[] = {"ProvisionedThroughputExceededException",
                                         "ThrottlingException", "RequestLimitExceeded",
                                         "InternalServerError", "LimitExceededException"};

    if (answer->status >= 500)
        return true;
    for (size_t i = 0; i < COUNT(errors); i++)
        if (span_is(answer->error_type, errors[i]))
            return true;
    return false;
}
