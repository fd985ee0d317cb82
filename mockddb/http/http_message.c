#include "http/http_message.h"

#include <strings.h>

#define FIELD(name, member)                                            \
    {                                                                  \
        (name), sizeof(name) - 1, offsetof(struct http_fields, member) \
    }

void http_note_header(struct http_fields *fields, const char *name, const char *value)
{
    static const struct {
        const char *name;
        size_t len, offset;
    } wanted[] = {
        FIELD("Accept-Encoding", accept_encoding),
        FIELD("Access-Control-Request-Headers", access_control_request_headers),
        FIELD("Access-Control-Request-Method", access_control_request_method),
        FIELD("Authorization", authorization),
        FIELD("Content-Type", content_type),
        FIELD("Date", date),
        FIELD("Host", host),
        FIELD("Origin", origin),
        FIELD("Sec-Fetch-Site", sec_fetch_site),
        FIELD("X-Amz-Date", x_amz_date),
        FIELD("X-Amz-Security-Token", x_amz_security_token),
        FIELD("X-Amz-Target", x_amz_target),
    };
    size_t len = strlen(name);

    for (size_t i = 0; i < COUNT(wanted); i++) {
        if (len == wanted[i].len && strcasecmp(name, wanted[i].name) == 0) {
            memcpy((char *)fields + wanted[i].offset, &value, sizeof value);
            return;
        }
    }
}
