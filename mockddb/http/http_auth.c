#include "http/http_auth.h"

/* Bit i is set for the i-th name that text holds as `name=`, between separators. */
static unsigned find_names(const char *text, const char *separators, const char *const *names,
                           size_t count)
{
    unsigned found = 0;

    while (*text) {
        size_t len = strcspn(text, separators);
        const char *equals = memchr(text, '=', len);

        for (size_t i = 0; equals && i < count; i++)
            if (span_is((struct span){text, (size_t)(equals - text)}, names[i]))
                found |= 1u << i;
        text += len;
        text += strspn(text, separators);
    }
    return found;
}

enum { CREDENTIAL, SIGNATURE, SIGNED_HEADERS, HEADER_PARTS };
static const char *const header_parts[HEADER_PARTS] = {
    [CREDENTIAL] = "Credential",
    [SIGNATURE] = "Signature",
    [SIGNED_HEADERS] = "SignedHeaders",
};

static enum error_kind check_header(const struct http_fields *fields, struct buf *message)
{
    const char *header = fields->authorization;
    unsigned found = find_names(header + strcspn(header, ", "), ", ", header_parts, HEADER_PARTS);
    bool dated = fields->x_amz_date || fields->date;

    if (dated && found == (1u << HEADER_PARTS) - 1)
        return ERROR_KIND_COUNT;
    for (size_t i = 0; i < HEADER_PARTS; i++)
        if (!(found & 1u << i))
            buf_printf(message, "Authorization header requires '%s' parameter. ", header_parts[i]);
    if (!dated)
        buf_add_text(message, "Authorization header requires existence of either a 'X-Amz-Date' or "
                              "a 'Date' header. ");
    buf_printf(message, "Authorization=%s", header);
    return ERROR_INCOMPLETE_SIGNATURE;
}

enum { QUERY_ALGORITHM, QUERY_PARTS = 5 };
static const char *const query_parts[QUERY_PARTS] = {
    [QUERY_ALGORITHM] = "X-Amz-Algorithm",
    "X-Amz-Credential",
    "X-Amz-Signature",
    "X-Amz-SignedHeaders",
    "X-Amz-Date",
};

static enum error_kind check_query(unsigned found, struct buf *message)
{
    if (found == (1u << QUERY_PARTS) - 1)
        return ERROR_KIND_COUNT;
    for (size_t i = 0; i < QUERY_PARTS; i++)
        if (!(found & 1u << i))
            buf_printf(message, "AWS query-string parameters must include '%s'. ", query_parts[i]);
    buf_add_text(message, "Re-examine the query-string parameters.");
    return ERROR_INCOMPLETE_SIGNATURE;
}

enum error_kind http_check_auth(const struct http_request *request, struct buf *message)
{
    const char *header = request->fields.authorization;
    const char *query = strchr(request->uri, '?');
    unsigned found = query ? find_names(query + 1, "&", query_parts, QUERY_PARTS) : 0;
    bool signed_query = found & 1u << QUERY_ALGORITHM;

    if (header && signed_query) {
        buf_add_text(message, "Found both 'X-Amz-Algorithm' as a query-string param and "
                              "'Authorization' as HTTP header.");
        return ERROR_INVALID_SIGNATURE;
    }
    if (signed_query)
        return check_query(found, message);
    if (header && strncmp(header, "AWS4-", 5) == 0)
        return check_header(&request->fields, message);
    buf_add_text(message, "Request is missing Authentication Token");
    return ERROR_MISSING_TOKEN;
}
