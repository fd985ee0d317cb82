#include "http/http_signature.h"

#include <ctype.h>
#include <strings.h>

#include "base/ascii.h"
#include "base/cut.h"
#include "base/date.h"
#include "base/one_more.h"
#include "http/http_handler.h"

#define SERVICE            "dynamodb" /* also for streams */
#define MINUTE             60
#define WINDOW_SECONDS     (15L * MINUTE) /* allowed difference of a client's clock */
#define MAX_EXPIRES        604800L        /* for a presigned URL: a week */
#define MAX_SIGNED_HEADERS 100

/* keyid/date/region/service/term */
enum { KEY_ID, SCOPE_DATE, SCOPE_REGION, SCOPE_SERVICE, SCOPE_TERMINATOR, CREDENTIAL_PARTS };

/* The verification of a request. */
struct verification {
    struct arena *arena;
    const struct http_keys *keys;
    int64_t now_ms;
    const struct http_request *request;
    struct http_claim claim; /* decoded */
    struct buf *message;

    struct span credential[CREDENTIAL_PARTS];
    int64_t signed_ms;
    const char *date; /* in its signed form */
};

/* --- what was claimed ------------------------------------------------------------------------- */

/* The parts in a query are percent-encoded. */
static struct http_claim decoded(struct arena *a, struct http_claim claim)
{
    struct span *const parts[] = {&claim.algorithm, &claim.credential, &claim.signed_headers,
                                  &claim.signature, &claim.date,       &claim.expires,
                                  &claim.token};

    if (claim.in_query)
        for (size_t i = 0; i < COUNT(parts); i++)
            if (parts[i]->at)
                *parts[i] = sigv4_decode(a, *parts[i]);
    return claim;
}

static enum error_kind check_algorithm(struct verification *v)
{
    if (span_is(v->claim.algorithm, SIGV4_ALGORITHM))
        return ERROR_NONE;
    buf_printf(v->message, "Unsupported AWS 'algorithm': '%.*s'.", SPAN_ARG(v->claim.algorithm));
    return ERROR_INCOMPLETE_SIGNATURE;
}

static enum error_kind read_credential(struct verification *v)
{
    struct span rest = v->claim.credential;
    size_t count = 0;

    for (bool more = true; more; count++) {
        more = span_has(rest, '/');
        if (count < CREDENTIAL_PARTS)
            v->credential[count] = cut_part(&rest, '/');
        else
            (void)cut_part(&rest, '/');
    }
    if (count == CREDENTIAL_PARTS)
        return ERROR_NONE;
    buf_printf(v->message,
               "Credential must have exactly 5 slash-delimited elements, e.g. "
               "keyid/date/region/service/term, got '%.*s'",
               SPAN_ARG(v->claim.credential));
    return ERROR_INCOMPLETE_SIGNATURE;
}

static enum error_kind read_date(struct verification *v)
{
    if (date_read_basic(v->claim.date, &v->signed_ms) ||
        (!v->claim.in_query && date_read_http(v->claim.date, &v->signed_ms))) {
        v->date = date_basic(v->arena, v->signed_ms);
        return ERROR_NONE;
    }
    buf_printf(v->message,
               "Date must be in ISO-8601 'basic format'. Got '%.*s'. See "
               "http://en.wikipedia.org/wiki/ISO_8601",
               SPAN_ARG(v->claim.date));
    return ERROR_INCOMPLETE_SIGNATURE;
}

/* Any region is accepted here; http_auth_region reads it. */
static enum error_kind check_scope(struct verification *v)
{
    const struct span *scope = v->credential;

    if (!span_is(scope[SCOPE_SERVICE], SERVICE))
        buf_add_text(v->message, "Credential should be scoped to correct service: '" SERVICE "'. ");
    if (!span_is(scope[SCOPE_TERMINATOR], SIGV4_TERMINATOR))
        buf_printf(v->message,
                   "Credential should be scoped with a valid terminator: '" SIGV4_TERMINATOR
                   "', not '%.*s'. ",
                   SPAN_ARG(scope[SCOPE_TERMINATOR]));
    if (!span_equal(scope[SCOPE_DATE], (struct span){v->date, strlen("YYYYMMDD")}))
        buf_printf(v->message,
                   "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date "
                   "from HTTP: '%.*s' != '%.8s', from '%s'. ",
                   SPAN_ARG(scope[SCOPE_DATE]), v->date, v->date);
    return v->message->len ? ERROR_INVALID_SIGNATURE : ERROR_NONE;
}

/* --- when ------------------------------------------------------------------------------------- */

/* Seconds for which the signature is valid; 0 if X-Amz-Expires is not a valid number. */
static long lifetime(const struct http_claim *claim)
{
    long seconds = 0;

    if (!claim->expires.at)
        return WINDOW_SECONDS;
    for (size_t i = 0; i < claim->expires.len; i++) {
        char c = claim->expires.at[i];

        if (!ascii_is_digit(c) || seconds > MAX_EXPIRES)
            return 0;
        seconds = seconds * 10 + (c - '0');
    }
    return seconds > MAX_EXPIRES ? 0 : seconds;
}

/* Adds "20150830T122100Z (20150830T123600Z - 15 min.)": the limit, and how it is computed. */
static void add_bound(struct verification *v, char sign, long seconds)
{
    int64_t bound = v->now_ms + (sign == '-' ? -1000 : 1000) * (int64_t)seconds;
    bool minutes = seconds % MINUTE == 0;

    buf_printf(v->message, "%s (%s %c %ld %s.)", date_basic(v->arena, bound),
               date_basic(v->arena, v->now_ms), sign, minutes ? seconds / MINUTE : seconds,
               minutes ? "min" : "sec");
}

static enum error_kind check_time(struct verification *v)
{
    long seconds = lifetime(&v->claim);

    if (!seconds) {
        buf_add_text(v->message, "X-Amz-Expires must be a number of seconds from 1 to 604800.");
        return ERROR_INVALID_SIGNATURE;
    }
    if (v->signed_ms > v->now_ms + WINDOW_SECONDS * 1000) {
        buf_printf(v->message, "Signature not yet current: %s is still later than ", v->date);
        add_bound(v, '+', WINDOW_SECONDS);
        return ERROR_INVALID_SIGNATURE;
    }
    if (v->signed_ms < v->now_ms - seconds * 1000) {
        buf_printf(v->message, "Signature expired: %s is now earlier than ", v->date);
        add_bound(v, '-', seconds);
        return ERROR_INVALID_SIGNATURE;
    }
    return ERROR_NONE;
}

/* --- who -------------------------------------------------------------------------------------- */

/* Temporary keys are valid only with their token, others only without one. */
static enum error_kind find_keys(struct verification *v, const struct sigv4_keys **out)
{
    const struct sigv4_keys *keys = http_keys_find(v->keys, v->credential[KEY_ID]);
    const char *token = keys ? keys->session_token : NULL;

    if (keys && !token == !v->claim.token.at &&
        (!token || sigv4_same(v->claim.token, span_of(token)))) {
        *out = keys;
        return ERROR_NONE;
    }
    buf_add_text(v->message, "The security token included in the request is invalid.");
    return ERROR_UNRECOGNIZED_CLIENT;
}

/* --- what ------------------------------------------------------------------------------------- */

struct signed_headers {
    struct sigv4_header *at;
    size_t len;
};

static const char *lower_case(struct arena *a, struct span text)
{
    char *out = arena_text(a, text);

    for (char *c = out; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return out;
}

/* Collects all headers with this name; returns false without any. */
static bool collect_header(const struct verification *v, struct signed_headers *headers,
                           const char *name)
{
    size_t before = headers->len;

    for (size_t i = 0; i < v->request->header_count; i++)
        if (strcasecmp(v->request->headers[i].name, name) == 0) {
            headers->at = one_more(v->arena, headers->at, headers->len, sizeof *headers->at);
            headers->at[headers->len++] = (struct sigv4_header){name, v->request->headers[i].value};
        }
    return headers->len > before;
}

/* Collects the headers in SignedHeaders; returns false if one is missing. */
static bool collect_headers(const struct verification *v, struct signed_headers *headers)
{
    struct span rest = v->claim.signed_headers;

    for (size_t count = 0; rest.len; count++)
        if (count == MAX_SIGNED_HEADERS ||
            !collect_header(v, headers, lower_case(v->arena, cut_part(&rest, ';'))))
            return false;
    return true;
}

static bool is_signed(const struct signed_headers *headers, const char *name)
{
    for (size_t i = 0; i < headers->len; i++)
        if (strcasecmp(headers->at[i].name, name) == 0)
            return true;
    return false;
}

/* Some SDKs do not sign Content-Type. It matters only if it turns the body into a form: otherwise
 * the target or the path determines the accepted types. */
static bool is_meant(const struct http_header *header)
{
    return http_message_is_meant(header->name) ||
           (strcasecmp(header->name, "Content-Type") == 0 &&
            http_route_type(header->value, http_route_form_types));
}

/* Returns an unsigned header that changes the request's meaning, which a third party could have
 * added; or NULL. */
static const char *find_unsigned(const struct http_request *request,
                                 const struct signed_headers *headers)
{
    for (size_t i = 0; i < request->header_count; i++) {
        const struct http_header *header = &request->headers[i];

        if (is_meant(header) && !is_signed(headers, header->name))
            return header->name;
    }
    return NULL;
}

static const char *expected_signature(const struct verification *v, const struct sigv4_keys *keys,
                                      const struct signed_headers *headers)
{
    const char *uri = v->request->uri;
    size_t path = strcspn(uri, "?");
    struct sigv4_scope scope = {.date = v->date,
                                .region = arena_text(v->arena, v->credential[SCOPE_REGION]),
                                .service = SERVICE};
    struct sigv4_request request = {
        .method = http_message_method_name(v->request->method),
        .path = sigv4_path(v->arena, (struct span){uri, path}),
        .query = sigv4_query(v->arena, span_of(uri + path + (uri[path] == '?')), "X-Amz-Signature"),
        .headers = headers->at,
        .header_count = headers->len,
        .body = v->request->body,
        .body_sum = v->request->body_sum,
    };

    return sigv4_signature(v->arena, keys->secret_key, &scope, &request);
}

static enum error_kind check_signature(struct verification *v, const struct sigv4_keys *keys)
{
    struct signed_headers headers = {NULL, 0};
    bool complete = collect_headers(v, &headers);
    const char *name;

    if (complete && !is_signed(&headers, "host")) {
        buf_add_text(v->message,
                     "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
        return ERROR_INVALID_SIGNATURE;
    }
    if (complete && (name = find_unsigned(v->request, &headers))) {
        buf_printf(v->message, "'%s' must be a 'SignedHeader' in the AWS Authorization.", name);
        return ERROR_INVALID_SIGNATURE;
    }
    if (complete && sigv4_same(span_of(expected_signature(v, keys, &headers)), v->claim.signature))
        return ERROR_NONE;
    buf_add_text(v->message,
                 "The request signature we calculated does not match the signature you provided. "
                 "Check your AWS Secret Access Key and signing method. Consult the service "
                 "documentation for details.");
    return ERROR_INVALID_SIGNATURE;
}

enum error_kind http_signature_verify(struct arena *a, const struct http_keys *keys, int64_t now_ms,
                                      const struct http_request *request,
                                      const struct http_claim *claim, struct buf *message)
{
    static enum error_kind (*const checks[])(struct verification *) = {
        check_algorithm, read_credential, read_date, check_scope, check_time,
    };
    struct verification v = {.arena = a,
                             .keys = keys,
                             .now_ms = now_ms,
                             .request = request,
                             .claim = decoded(a, *claim),
                             .message = message};
    const struct sigv4_keys *found;
    enum error_kind wrong = ERROR_NONE;

    for (size_t i = 0; i < COUNT(checks) && wrong == ERROR_NONE; i++)
        wrong = checks[i](&v);
    if (wrong != ERROR_NONE || (wrong = find_keys(&v, &found)) != ERROR_NONE)
        return wrong;
    return check_signature(&v, found);
}

enum error_kind http_signature_check(const struct http_handler *h,
                                     const struct http_request *request, struct http_claim *claim,
                                     struct buf *message)
{
    enum error_kind wrong;

    *claim = (struct http_claim){.in_query = false};
    wrong = http_auth_check(request, claim, message);
    if (wrong != ERROR_NONE || !h->options.keys)
        return wrong;
    return http_signature_verify(h->arena, h->options.keys, clock_now_ms(h->clock), request, claim,
                                 message);
}
