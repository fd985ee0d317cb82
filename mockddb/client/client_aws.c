#include "client/client_aws.h"

#include "base/clock.h"
#include "base/date.h"
#include "client/client_profile.h"

#define DEFAULT_REGION "us-east-1"
#define TARGET         "DynamoDB_20120810."
#define STREAMS_TARGET "DynamoDBStreams_20120810."

struct client_aws {
    struct client client; /* first */
    struct client_http *http;
    struct clock *clock;
    struct client_aws_signer signer;
};

static const struct client_transport over_http;

const char *client_aws_new(struct arena *a, const struct client_aws_options *options,
                           struct client **out)
{
    struct client_aws *c = arena_alloc(a, sizeof *c);
    struct client_profile profile = {.region = NULL};
    const char *error;

    c->client.transport = &over_http;
    c->client.name = options->endpoint;
    if ((error = client_http_new(a, options->endpoint, NULL, &c->http)))
        return error;
    c->client.is_here = client_http_is_loopback(c->http);
    error = client_profile_load(a, options->profile, &profile);
    if (error && (options->profile || !c->client.is_here)) {
        client_http_free(c->http);
        return error;
    }
    c->signer = (struct client_aws_signer){
        .region = options->region  ? options->region
                  : profile.region ? profile.region
                                   : DEFAULT_REGION,
        .service = "dynamodb",
        .content_type = "application/x-amz-json-1.0",
        .world = options->world,
    };
    if (!profile.keys.access_key && !c->client.is_here) {
        client_http_free(c->http);
        return "no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use --profile";
    }
    /* a local server accepts any keys */
    c->signer.keys = profile.keys.access_key ? profile.keys
                                             : (struct sigv4_keys){"local", "local", NULL};
    c->clock = clock_new_system();
    *out = &c->client;
    return NULL;
}

/* The operations of streams belong to a separate service. */
static const char *target_of(struct arena *a, const char *operation)
{
    static const char *const streams[] = {"DescribeStream", "GetRecords", "GetShardIterator",
                                          "ListStreams"};
    size_t i = 0;

    while (i < COUNT(streams) && strcmp(streams[i], operation) != 0)
        i++;
    return arena_printf(a, "%s%s", i < COUNT(streams) ? STREAMS_TARGET : TARGET, operation);
}

struct client_http_request client_aws_sign(struct arena *a, const struct client_http *http,
                                           const struct client_aws_signer *by, int64_t now_ms,
                                           const char *target,
                                           const struct client_aws_request *from)
{
    const char *date = date_basic(a, now_ms);
    const struct sigv4_scope scope = {date, by->region, by->service};
    const struct sigv4_header known[] = {{"content-type", by->content_type},
                                         {"host", client_http_host(http)},
                                         {"x-amz-date", date},
                                         {"x-amz-security-token", by->keys.session_token},
                                         {"x-amz-target", target},
                                         {"x-mockddb-world", by->world}};
    struct sigv4_header sealed[COUNT(known)];
    struct client_header *headers = arena_array(a, COUNT(known), sizeof *headers);
    size_t count = 0, sent = 1;

    for (size_t i = 0; i < COUNT(known); i++) {
        if (!known[i].value)
            continue;
        sealed[count++] = known[i];
        if (strcmp(known[i].name, "host") != 0) /* the HTTP client adds Host itself */
            headers[sent++] = (struct client_header){known[i].name, known[i].value};
    }
    headers[0] = (struct client_header){
        "Authorization", sigv4_authorization(a, &by->keys, &scope,
                                             &(struct sigv4_request){
                                                 .method = from->method,
                                                 .path = sigv4_path(a, span_of(from->path)),
                                                 .query = sigv4_query(a, span_of(from->query), ""),
                                                 .headers = sealed,
                                                 .header_count = count,
                                                 .body = from->body,
                                             })};
    return (struct client_http_request){
        .method = from->method,
        .target = *from->query ? arena_printf(a, "%s?%s", from->path, from->query) : from->path,
        .headers = headers,
        .count = sent,
        .body = from->body,
        .seconds = from->seconds,
        .on_bytes = from->on_bytes,
        .context = from->context,
    };
}

static struct client_http_request sign(const struct client_aws *c, struct arena *a,
                                       const char *target, const struct client_aws_request *from)
{
    return client_aws_sign(a, c->http, &c->signer, clock_now_ms(c->clock), target, from);
}

const char *client_aws_ask(struct client *client, struct arena *a,
                           const struct client_aws_request *request, struct client_reply *out)
{
    const struct client_aws *c = (const struct client_aws *)client;
    struct client_aws_signer signer = c->signer;
    struct client_http_request sent;

    if (request->world)
        signer.world = request->world;
    sent = client_aws_sign(a, c->http, &signer, clock_now_ms(c->clock), NULL, request);
    return client_http_send(c->http, a, &sent, out);
}

/* --- the transport ---------------------------------------------------------------------------- */

static const char *read_answer(const struct client *c, struct arena *a,
                               const struct client_reply *reply, struct client_answer *out)
{
    return client_answer_read(a, reply->status, reply->body, out)
               ? NULL
               : arena_printf(a, "%s answered HTTP %d with something that is not JSON", c->name,
                              reply->status);
}

static const char *call(struct client *client, struct arena *a, const char *operation,
                        struct span request, struct client_answer *out)
{
    struct client_aws *c = (struct client_aws *)client;
    int64_t start = clock_now_ms(c->clock), end;
    const struct client_aws_request post = {
        .method = "POST", .path = "/", .query = "", .body = request};
    const struct client_http_request sent = sign(c, a, target_of(a, operation), &post);
    struct client_reply reply;
    const char *error = client_http_send(c->http, a, &sent, &reply);

    if (error)
        return error;
    end = clock_now_ms(c->clock);
    error = read_answer(client, a, &reply, out);
    out->millis = end - start;
    return error;
}

static const char *call_all(struct client *client, struct arena *a, const char *operation,
                            const struct span *requests, size_t count, struct client_answer *out)
{
    struct client_aws *c = (struct client_aws *)client;
    struct client_http_request *signed_requests = arena_array(a, count, sizeof *signed_requests);
    struct client_reply *replies = arena_array(a, count, sizeof *replies);
    const char *target = target_of(a, operation), *error;

    for (size_t i = 0; i < count; i++)
        signed_requests[i] = sign(
            c, a, target,
            &(struct client_aws_request){
                .method = "POST", .path = "/", .query = "", .body = requests[i]});
    error = client_http_send_all(c->http, a, signed_requests, count, replies);
    for (size_t i = 0; i < count && !error; i++)
        error = read_answer(client, a, &replies[i], &out[i]);
    return error;
}

static const char *ask(struct client *client, struct arena *a, const char *verb, struct span body,
                       struct client_verb_answer *out)
{
    const struct client_aws_request question = {
        .method = "POST", .path = arena_printf(a, "/_mockddb/%s", verb), .query = "", .body = body};
    struct client_reply reply = {.status = 0};
    const char *problem = client_aws_ask(client, a, &question, &reply);

    *out = (struct client_verb_answer){reply.status, reply.body};
    return problem;
}

/* The time of a mockddb, whose clock may be frozen or moved; any other server uses the real
 * time. */
static int64_t now_ms(struct client *client, struct arena *a)
{
    const struct client_aws_request question = {
        .method = "GET", .path = "/_mockddb/clock", .query = "", .body = {"", 0}};
    struct client_reply reply;
    const wire_node *body;

    if (client->is_here && !client_aws_ask(client, a, &question, &reply) && reply.status == 200 &&
        !wire_parse(a, reply.body, &body) && wire_get(body, "now_ms"))
        return wire_integer(wire_get(body, "now_ms"), 0);
    return clock_now_ms(((struct client_aws *)client)->clock);
}

static void free_connections(struct client *client)
{
    struct client_aws *c = (struct client_aws *)client;

    client_http_free(c->http);
    clock_free(c->clock);
}

static const struct client_transport over_http = {.width = CLIENT_HTTP_AT_ONCE,
                                                  .may_pass = true,
                                                  .call = call,
                                                  .call_all = call_all,
                                                  .ask = ask,
                                                  .now_ms = now_ms,
                                                  .free = free_connections};
