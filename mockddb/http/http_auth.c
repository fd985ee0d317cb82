#include "http/http_auth.h"

#include "base/cut.h"
#include "base/sigv4.h"
#include "model/names.h"

/* Finds the values of `name=value` between separators, and stores each at the index of its name;
 * the last of several counts. If names are taken `bare`, as in a query, a name alone has the value
 * "". Values of missing names are not changed. */
static void find_values(const char *text, const char *separators, bool bare,
                        const char *const *names, size_t count, struct span *values)
{
    while (*text) {
        size_t len = strcspn(text, separators);
        const char *equals = memchr(text, '=', len), *end = equals ? equals : text + len;
        const char *value = equals ? equals + 1 : end;

        for (size_t i = 0; (equals || bare) && i < count; i++)
            if (span_is((struct span){text, (size_t)(end - text)}, names[i]))
                values[i] = (struct span){value, len - (size_t)(value - text)};
        text += len;
        text += strspn(text, separators);
    }
}

static struct span optional(const char *text)
{
    return text ? span_of(text) : (struct span){NULL, 0};
}

/* --- in headers ------------------------------------------------------------------------------- */

enum { CREDENTIAL, SIGNATURE, SIGNED_HEADERS, HEADER_PARTS };
static const char *const header_parts[HEADER_PARTS] = {
    [CREDENTIAL] = "Credential",
    [SIGNATURE] = "Signature",
    [SIGNED_HEADERS] = "SignedHeaders",
};

static enum error_kind check_header(const struct http_fields *fields, struct http_claim *claim,
                                    struct buf *message)
{
    const char *header = fields->authorization;
    size_t algorithm = strcspn(header, ", ");
    struct span values[HEADER_PARTS] = {{NULL, 0}};
    bool dated = fields->x_amz_date || fields->date;

    find_values(header + algorithm, ", ", false, header_parts, HEADER_PARTS, values);
    for (size_t i = 0; i < HEADER_PARTS; i++)
        if (!values[i].at)
            buf_printf(message, "Authorization header requires '%s' parameter. ", header_parts[i]);
    if (!dated)
        buf_add_text(message, "Authorization header requires existence of either a 'X-Amz-Date' or "
                              "a 'Date' header. ");
    if (message->len) {
        buf_printf(message, "Authorization=%s", header);
        return ERROR_INCOMPLETE_SIGNATURE;
    }
    *claim = (struct http_claim){
        .algorithm = {header, algorithm},
        .credential = values[CREDENTIAL],
        .signed_headers = values[SIGNED_HEADERS],
        .signature = values[SIGNATURE],
        .date = optional(fields->x_amz_date ? fields->x_amz_date : fields->date),
        .token = optional(fields->x_amz_security_token),
    };
    return ERROR_NONE;
}

/* --- in the query ----------------------------------------------------------------------------- */

enum {
    QUERY_ALGORITHM,
    QUERY_CREDENTIAL,
    QUERY_SIGNATURE,
    QUERY_SIGNED_HEADERS,
    QUERY_DATE,
    QUERY_REQUIRED, /* number of required names */
    QUERY_EXPIRES = QUERY_REQUIRED,
    QUERY_TOKEN,
    QUERY_PARTS
};
static const char *const query_parts[QUERY_PARTS] = {
    [QUERY_ALGORITHM] = "X-Amz-Algorithm",
    [QUERY_CREDENTIAL] = "X-Amz-Credential",
    [QUERY_SIGNATURE] = "X-Amz-Signature",
    [QUERY_SIGNED_HEADERS] = "X-Amz-SignedHeaders",
    [QUERY_DATE] = "X-Amz-Date",
    [QUERY_EXPIRES] = "X-Amz-Expires",
    [QUERY_TOKEN] = "X-Amz-Security-Token",
};

static enum error_kind check_query(const struct span *values, struct http_claim *claim,
                                   struct buf *message)
{
    for (size_t i = 0; i < QUERY_REQUIRED; i++)
        if (!values[i].at)
            buf_printf(message, "AWS query-string parameters must include '%s'. ", query_parts[i]);
    if (message->len) {
        buf_add_text(message, "Re-examine the query-string parameters.");
        return ERROR_INCOMPLETE_SIGNATURE;
    }
    *claim = (struct http_claim){
        .in_query = true,
        .algorithm = values[QUERY_ALGORITHM],
        .credential = values[QUERY_CREDENTIAL],
        .signed_headers = values[QUERY_SIGNED_HEADERS],
        .signature = values[QUERY_SIGNATURE],
        .date = values[QUERY_DATE],
        .expires = values[QUERY_EXPIRES],
        .token = values[QUERY_TOKEN],
    };
    return ERROR_NONE;
}

enum error_kind http_auth_check(const struct http_request *request, struct http_claim *claim,
                                struct buf *message)
{
    const char *header = request->fields.authorization;
    const char *query = strchr(request->uri, '?');
    struct span values[QUERY_PARTS] = {{NULL, 0}};

    if (query)
        find_values(query + 1, "&", true, query_parts, QUERY_PARTS, values);
    if (header && values[QUERY_ALGORITHM].at) {
        buf_add_text(message, "Found both 'X-Amz-Algorithm' as a query-string param and "
                              "'Authorization' as HTTP header.");
        return ERROR_INVALID_SIGNATURE;
    }
    if (values[QUERY_ALGORITHM].at)
        return check_query(values, claim, message);
    if (header && strncmp(header, "AWS4-", 5) == 0)
        return check_header(&request->fields, claim, message);
    buf_add_text(message, "Request is missing Authentication Token");
    return ERROR_MISSING_TOKEN;
}

struct span http_auth_access_key(struct arena *a, const struct http_claim *claim)
{
    struct span whole = claim->in_query ? sigv4_decode(a, claim->credential) : claim->credential;

    return cut_part(&whole, '/');
}

enum error_kind http_auth_region(const struct http_claim *claim, struct span *region,
                                 struct buf *message)
{
    struct span rest = claim->in_query ? (struct span){"", 0} : claim->credential;

    *region = (struct span){"", 0};
    for (int i = 0; i < 2; i++) {
        if (!span_has(rest, '/'))
            return ERROR_NONE;
        (void)cut_part(&rest, '/');
    }
    rest = cut_part(&rest, '/');
    if (names_is_region(rest)) {
        *region = rest;
        return ERROR_NONE;
    }
    buf_printf(message, "Credential should be scoped to a valid region, not '%.*s'. ",
               SPAN_ARG(rest));
    return ERROR_INVALID_SIGNATURE;
}
