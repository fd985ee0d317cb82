#include "commands/try_door.h"

#include "admin/admin.h"
#include "base/terminal.h"
#include "commands/endpoint_options.h"
#include "commands/write_consent.h"
#include "dispatch/dispatch_client.h"
#include "fixtures/fixtures_moment.h"
#include "patterns/pattern_operation.h"
#include "setup/setup_patterns.h"
#include "templates/template_params.h"
#include "wire/json.h"

struct try_door {
    struct arena *arena;
    const struct try_options *options;
    bool yes;            /* the user allowed writes */
    bool passed_over;    /* it was said that an --endpoint-url is not used */
    int64_t calls_a_day; /* for the next request: a command's first one says what all pages cost */
    struct client *client; /* of the server used last; NULL: none yet */
    struct worlds *worlds; /* NULL: a server is used */
    struct admin *admin;
};

/* --- in this process -------------------------------------------------------------------------- */

static void ask_admin(void *door, struct arena *a, const char *verb, struct span body,
                      struct client_verb_answer *out)
{
    struct try_door *d = door;
    const struct admin_request request = {.method = "POST", .path = span_of(verb), .body = body};
    struct admin_reply reply;

    admin_ask(d->admin, &request, &reply);
    *out = (struct client_verb_answer){reply.status, arena_span(a, reply.body)};
}

static void say_note(struct moving_report *r, const char *text)
{
    (void)r;
    terminal_say("%s\n", text);
}

static const char *open_worlds(struct arena *a, const struct try_options *o, struct try_door *d)
{
    struct worlds_options options = {
        .first.settings = {.region = SPAN_LIT(WORLD_REGION), .account = SPAN_LIT(WORLD_ACCOUNT)}};
    const struct option_texts no_files = {NULL, 0};
    struct moving_fixtures fixtures = o->fixtures;
    struct admin_patterns *patterns = arena_alloc(a, sizeof *patterns);
    struct fixtures_moment moment;
    const struct problem *p;
    const char *problem;
    struct world *w;

    if ((problem = fixtures_moment_read(a, fixtures.names.at, fixtures.names.count,
                                        fixtures.table_prefix, &moment)) ||
        (problem = problem_text(a, setup_patterns_read(a, &no_files, &fixtures, patterns))))
        return problem;
    options.first.journal.catalogue = patterns->catalogue;
    if (moment.fixture) /* what has expired, and what is recent, is as it was then */
        options.start = (struct clock_time){true, moment.taken_ms, 1};
    if ((p = worlds_new(a, &options, &d->worlds)))
        return p->text;
    d->admin = admin_new(d->worlds, patterns);
    w = worlds_first(d->worlds);
    d->client = dispatch_client_new(
        a, world_dispatcher(w),
        &(struct dispatch_client_options){.name = "the fixtures", .ask = ask_admin, .context = d});
    fixtures.note = say_note;
    problem = moving_fixtures_load(a, world_dispatcher(w), world_settings(w), &fixtures);
    return problem ? problem : template_params_unused(a, &fixtures.params);
}

struct try_door *try_door_open(struct arena *a, const struct try_options *options,
                               const char **problem)
{
    struct try_door *d = arena_alloc(a, sizeof *d);

    *d = (struct try_door){.arena = a, .options = options, .yes = options->yes};
    if (!options->fixtures.names.count || !(*problem = open_worlds(a, options, d)))
        return d;
    try_door_close(d);
    return NULL;
}

void try_door_close(struct try_door *d)
{
    if (!d)
        return;
    client_free(d->client);
    admin_free(d->admin);
    worlds_free(d->worlds);
}

const char *try_door_turn(struct try_door *d, struct arena *a, const struct op *op,
                          struct span request, const char *pasted)
{
    struct client_endpoint_question which = {
        .option = d->options->at.endpoint, .pasted = pasted, .streams = op->service == OP_STREAMS};
    struct client_aws_options to = {.world = d->options->at.world};
    struct client_endpoint found;
    const wire_node *body;
    const char *problem;

    d->calls_a_day = d->options->calls_a_day;
    if (d->worlds) {
        if (pasted && !d->passed_over)
            terminal_say("mockddb: asking the fixtures, not --endpoint-url %s\n", pasted);
        d->passed_over = d->passed_over || pasted;
        return NULL;
    }
    which.writes = wire_parse(a, request, &body) || pattern_operation_writes(op, body);
    if ((problem = client_endpoint_find(d->arena, &which, &found)))
        return problem;
    if (!d->client || strcmp(d->client->name, found.url) != 0) {
        if (found.note)
            terminal_say("mockddb: %s\n", found.note);
        client_free(d->client); /* each command of a paste may name its own server */
        d->client = NULL;
        to.endpoint = found.url;
        if ((problem = client_aws_new(d->arena, &to, &d->client)))
            return problem;
    }
    if (!which.writes)
        return NULL;
    problem = write_consent_ask(a, d->client->name, d->client->is_here, d->yes);
    d->yes = !problem;
    return problem;
}

/* --- asking ----------------------------------------------------------------------------------- */

/* {"status", "response", "explanation": {"text", …}} */
static bool read_tried(struct arena *a, struct span text, struct client_answer *out,
                       struct try_explanation *explanation)
{
    const wire_node *tried, *response, *explained;
    struct buf body = buf_in(a);

    if (!json_parse(a, text, &tried) || !wire_get(tried, "status"))
        return false;
    response = wire_get(tried, "response");
    if (response)
        json_write(&body, response);
    else
        buf_add_text(&body, "{}");
    explained = wire_get(tried, "explanation");
    *explanation = (struct try_explanation){
        .text = wire_text(wire_get(explained, "text")),
        .page_ended = wire_bool(wire_get(explained, "page_ended"), false),
    };
    return client_answer_read(a, (int)wire_integer(wire_get(tried, "status"), 0), buf_span(&body),
                              out);
}

const char *try_door_ask(struct try_door *d, struct arena *a, const struct op *op,
                         struct span request, struct client_answer *out,
                         struct try_explanation *explanation)
{
    struct buf body = buf_in(a);
    struct client_verb_answer answer;
    const char *problem;

    *explanation = (struct try_explanation){.page_ended = false};
    buf_printf(&body, "{\"operation\": \"%s\", \"request\": ", op->name);
    buf_add_span(&body, request);
    if (d->calls_a_day)
        buf_printf(&body, ", \"calls_a_day\": %lld", (long long)d->calls_a_day);
    d->calls_a_day = 0;
    buf_add_char(&body, '}');
    problem = client_ask(d->client, a, "try", buf_span(&body), &answer);
    if (!problem && answer.status == 200 && read_tried(a, answer.body, out, explanation))
        return NULL;
    /* else the server does not have the verb */
    if (problem && d->client->is_here)
        return arena_printf(a,
                            "%s\nWithout a server there: start one with mockddb, or use none: "
                            "mockddb try --fixtures ecommerce …",
                            problem);
    return problem ? problem : client_call(d->client, a, op->name, request, out);
}
