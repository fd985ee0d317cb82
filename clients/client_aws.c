#include "client_aws.h"

#include "base/clock.h"
#include "base/date.h"
#include "client_http.h"
#include "client_profile.h"

#define DEFAULT_ENDPOINT "http://127.0.0.1:8000"
#define DEFAULT_REGION   "us-east-1"
#define TARGET           "DynamoDB_20120810."
#define STREAMS_TARGET   "DynamoDBStreams_20120810."
#define CONTENT_TYPE     "application/x-amz-json-1.0"
#define MAX_HEADERS      5

struct aws_client {
    struct http_client *http;
    struct clock *clock;
    struct sigv4_keys keys;
    const char *endpoint;
    const char *region;
};

/* A local server takes any keys; any other endpoint would refuse made-up ones. */
static const char *choose_keys(struct aws_client *c, const struct sigv4_keys *found)
{
    if (!found->access_key && !http_is_loopback(c->http))
        return "no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use --profile";
    c->keys = found->access_key ? *found : (struct sigv4_keys){"local", "local", NULL};
    return NULL;
}

const char *aws_client_new(struct arena *a, const struct aws_options *options,
                           struct aws_client **out)
{
    struct aws_client *c = arena_alloc(a, sizeof *c);
    struct profile profile;
    const char *error;

    c->endpoint = options->endpoint ? options->endpoint : DEFAULT_ENDPOINT;
    if ((error = profile_load(a, options->profile, &profile)) ||
        (error = http_client_new(a, c->endpoint, &c->http)))
        return error;
    c->region = options->region ? options->region : profile.region;
    if (!c->region)
        c->region = DEFAULT_REGION;
    if ((error = choose_keys(c, &profile.keys))) {
        http_client_free(c->http);
        return error;
    }
    c->clock = clock_new_system();
    *out = c;
    return NULL;
}

void aws_client_free(struct aws_client *c)
{
    if (!c)
        return;
    http_client_free(c->http);
    clock_free(c->clock);
}

const char *aws_endpoint(const struct aws_client *c)
{
    return c->endpoint;
}

const char *aws_region(const struct aws_client *c)
{
    return c->region;
}

/* The operations of streams belong to a service of their own. */
static const char *target_of(struct arena *a, const char *operation)
{
    static const char *const streams[] = {"DescribeStream", "GetRecords", "GetShardIterator",
                                          "ListStreams"};
    size_t i = 0;

    while (i < COUNT(streams) && strcmp(streams[i], operation) != 0)
        i++;
    return arena_printf(a, "%s%s", i < COUNT(streams) ? STREAMS_TARGET : TARGET, operation);
}

static const char *send_signed(struct aws_client *c, struct arena *a, const char *operation,
                               struct span body, struct http_reply *reply)
{
    const char *date = date_basic(a, clock_now_ms(c->clock));
    struct sigv4_header signed_headers[MAX_HEADERS] = {
        {"content-type", CONTENT_TYPE},
        {"host", http_host_header(c->http)},
        {"x-amz-date", date},
        {"x-amz-target", target_of(a, operation)},
        {"x-amz-security-token", c->keys.session_token},
    };
    size_t count = c->keys.session_token ? MAX_HEADERS : MAX_HEADERS - 1, i, sent = 0;
    struct http_header headers[MAX_HEADERS];
    struct sigv4_request request = {"POST", "/", "", signed_headers, count, body};
    struct sigv4_scope scope = {date, c->region, "dynamodb"};

    headers[sent++] = (struct http_header){"Authorization",
                                           sigv4_authorization(a, &c->keys, &scope, &request)};
    for (i = 0; i < count; i++) { /* the HTTP client adds Host itself */
        if (strcmp(signed_headers[i].name, "host") != 0)
            headers[sent++] = (struct http_header){signed_headers[i].name, signed_headers[i].value};
    }
    return http_post(c->http, a, headers, sent, body, reply);
}

/* "com.amazon.coral.validate#ValidationException" → "ValidationException" */
static struct span short_type(struct span type)
{
    const char *hash = type.len ? memchr(type.at, '#', type.len) : NULL;

    return hash ? span_from(type, (size_t)(hash - type.at) + 1) : type;
}

static void take_error(struct aws_answer *answer)
{
    answer->error_type = short_type(wire_text(wire_get(answer->body, "__type")));
    answer->message = wire_text(wire_get(answer->body, "message"));
    if (!answer->message.len)
        answer->message = wire_text(wire_get(answer->body, "Message"));
    if (!answer->error_type.len)
        answer->error_type = SPAN_LIT("an error without a type");
}

const char *aws_call(struct aws_client *c, struct arena *a, const char *operation,
                     struct span request, struct aws_answer *out)
{
    int64_t start = clock_now_ms(c->clock);
    struct http_reply reply;
    const char *error = send_signed(c, a, operation, request, &reply);

    if (error)
        return error;
    *out = (struct aws_answer){.status = reply.status, .text = reply.body};
    out->millis = clock_now_ms(c->clock) - start;
    if (wire_parse(a, reply.body, &out->body))
        return arena_printf(a, "%s answered HTTP %d with something that is not JSON", c->endpoint,
                            reply.status);
    if (reply.status != 200)
        take_error(out);
    return NULL;
}
