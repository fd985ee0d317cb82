#include "mcp/mcp_call.h"

#include "base/one_more.h"
#include "base/sigv4.h"

#define MOST_REQUESTS     64                 /* of one call */
#define MOST_ANSWER_BYTES ((size_t)64 << 20) /* of all answers of one call */
#define NOT_ASKED         (-1)               /* the status of a request that was not made, … */
#define ENDED             (-2)               /* … or not to its end */
#define SNAPSHOTS         10                 /* that are kept of each world */
#define SNAPSHOT_NAME     "before-agent-"

/* --- running ---------------------------------------------------------------------------------- */

const struct problem *mcp_call_begin(struct mcp_call *c)
{
    arena_reset(c->arena);
    c->asked = 0;
    c->result = (struct mcp_result){.reason = ""};
    return c->broken ? problem_new(c->arena, PROBLEM_FAILED, "%s", c->broken) : NULL;
}

static void add_answer(struct mcp_call *c, int status, struct span body)
{
    c->answers = one_more(c->kept, c->answers, c->answer_count, sizeof *c->answers);
    c->answers[c->answer_count++] = (struct mcp_answer){status, arena_span(c->kept, body)};
    c->answer_bytes += body.len;
}

void mcp_call_take(struct mcp_call *c, const struct mcp_answer *answer, const char *problem)
{
    if (problem)
        c->broken = arena_text(c->kept, span_of(problem));
    else
        add_answer(c, answer->status, answer->body);
}

void mcp_call_end(struct mcp_call *c)
{
    add_answer(c, ENDED, (struct span){"", 0});
}

/* --- asking ----------------------------------------------------------------------------------- */

static struct span keep(struct mcp_call *c, struct span s)
{
    return s.at ? arena_span(c->kept, s) : s;
}

/* What a call may use is used up. It may still clean up. */
static bool is_over(const struct mcp_call *c, const struct mcp_request *request)
{
    return (c->is_late || c->answer_count >= MOST_REQUESTS ||
            c->answer_bytes > MOST_ANSWER_BYTES) &&
           strcmp(request->method, "DELETE") != 0;
}

const struct problem *mcp_call_ask(struct mcp_call *c, const struct mcp_request *request,
                                   struct mcp_answer *out)
{
    if (c->asked == c->answer_count && is_over(c, request))
        add_answer(c, NOT_ASKED, (struct span){"", 0}); /* later runs are refused here, too */
    if (c->asked < c->answer_count) {
        *out = c->answers[c->asked++];
        if (out->status > 0)
            return NULL;
        if (out->status == ENDED)
            return problem_invalid(c->arena, "this took all the time that one call has, and was "
                                             "ended: what it had done by then stays");
        return problem_invalid(c->arena, "this needs more requests, memory or time than one call "
                                         "may use: ask for less");
    }
    c->pending = (struct mcp_request){
        .method = request->method,
        .path = arena_text(c->kept, span_of(request->path)),
        .query = request->query ? arena_text(c->kept, span_of(request->query)) : "",
        .body = keep(c, request->body),
        .uploads = request->uploads,
        .world = keep(c, request->world),
    };
    return problem_new(c->arena, PROBLEM_WAITS, "%s %s", request->method, request->path);
}

void mcp_call_add(struct buf *out, struct span text)
{
    for (size_t i = 0; i < text.len; i++) {
        const unsigned char c = (unsigned char)text.at[i];

        if (c == '\n')
            buf_add_text(out, "\\n");
        else if (c < ' ' || c == 0x7f)
            buf_printf(out, "\\u%04x", c);
        else
            buf_add_char(out, (char)c);
    }
}

const char *mcp_call_message(struct mcp_call *c, const struct mcp_answer *answer)
{
    const wire_node *body;

    if (json_parse(c->arena, answer->body, &body) && wire_text(wire_get(body, "message")).len)
        return arena_text(c->arena, wire_text(wire_get(body, "message")));
    return arena_printf(c->arena, "the server answers %d", answer->status);
}

const struct problem *mcp_call_get(struct mcp_call *c, const struct mcp_request *request,
                                   const wire_node **out)
{
    struct mcp_answer answer = {.status = 0};
    const struct problem *p;

    if ((p = mcp_call_ask(c, request, &answer)))
        return p;
    if (answer.status != 200)
        return problem_invalid(c->arena, "%s", mcp_call_message(c, &answer));
    if (!json_parse(c->arena, answer.body, out))
        return problem_new(c->arena, PROBLEM_FAILED, "the server's answer is not JSON");
    return NULL;
}

const struct problem *mcp_call_try(struct mcp_call *c, struct span world, const struct mcp_try *t,
                                   const wire_node **out)
{
    struct buf body = buf_in(c->arena);
    struct wire_writer w = {&body, false};

    wire_open(&w, '{');
    wire_put_member_word(&w, "operation", t->operation);
    wire_put_member_raw(&w, "request", t->request);
    if (t->calls_a_day)
        wire_put_member_raw(&w, "calls_a_day", wire_raw(t->calls_a_day));
    if (t->aside) {
        wire_put_member_bool(&w, "aside", true);
        wire_put_member_bool(&w, "explain", false);
    }
    wire_close(&w, '}');
    return mcp_call_get(
        c,
        &(struct mcp_request){
            .method = "POST", .path = "try", .body = buf_span(&body), .world = world},
        out);
}

const struct problem *mcp_call_aside(struct mcp_call *c, struct span world, const char *operation,
                                     struct span request, const wire_node **out)
{
    const struct mcp_try asked = {.operation = operation, .request = request, .aside = true};
    const wire_node *answer = NULL;
    const struct problem *p = mcp_call_try(c, world, &asked, &answer);

    if (p)
        return p;
    *out = wire_get(answer, "response");
    if (wire_integer(wire_get(answer, "status"), 0) == 200)
        return NULL;
    return problem_invalid(c->arena, "%.*s", SPAN_ARG(wire_text(wire_get(*out, "message"))));
}

/* --- arguments -------------------------------------------------------------------------------- */

struct span mcp_call_text(const struct mcp_call *c, const char *name)
{
    return wire_text(wire_get(c->arguments, name));
}

int64_t mcp_call_number(const struct mcp_call *c, const char *name, int64_t otherwise)
{
    return wire_integer(wire_get(c->arguments, name), otherwise);
}

bool mcp_call_flag(const struct mcp_call *c, const char *name)
{
    return wire_bool(wire_get(c->arguments, name), false);
}

const char *mcp_call_step(struct mcp_call *c, struct span text)
{
    struct buf out = buf_in(c->arena);

    sigv4_encode(&out, text);
    return buf_text(&out);
}

const char *mcp_call_query(struct mcp_call *c, const char *const *names)
{
    struct buf out = buf_in(c->arena);

    for (; *names; names++) {
        const wire_node *value = wire_get(c->arguments, *names);

        if (!value)
            continue;
        buf_printf(&out, "%s%s=", out.len ? "&" : "", *names);
        sigv4_encode(&out, json_kind(value) == JSON_STRING ? wire_text(value) : wire_raw(value));
    }
    return buf_text(&out);
}

struct span mcp_call_body(struct mcp_call *c, const char *const *names)
{
    struct buf out = buf_in(c->arena);
    struct wire_writer w = {&out, false};

    wire_open(&w, '{');
    for (; *names; names++)
        if (wire_get(c->arguments, *names))
            wire_put_member_raw(&w, *names, wire_raw(wire_get(c->arguments, *names)));
    wire_close(&w, '}');
    return buf_span(&out);
}

/* --- worlds ----------------------------------------------------------------------------------- */

/* A request to a world makes it if it is missing, and a mistyped name must not. */
const struct problem *mcp_call_world(struct mcp_call *c, struct span *out)
{
    struct span name = mcp_call_text(c, "world");
    const wire_node *found;

    *out = c->result.world = name.len ? name : (struct span){NULL, 0};
    if (!name.len)
        return NULL;
    return mcp_call_get(
        c,
        &(struct mcp_request){.method = "GET",
                              .path = arena_printf(c->arena, "worlds/%s", mcp_call_step(c, name))},
        &found);
}

/* The name for the next snapshot: the first free one of ours, else the one of the oldest. Their
 * times are texts in one form, so that they compare as the moments do. */
static const char *choose_snapshot(struct mcp_call *c, const wire_node *list)
{
    const char *chosen = NULL;
    struct span oldest = {NULL, 0};

    for (int i = 1; i <= SNAPSHOTS; i++) {
        const char *name = arena_printf(c->arena, SNAPSHOT_NAME "%d", i);
        const wire_node *s = wire_first(list);
        struct span taken;

        while (s && !span_is(wire_text(wire_get(s, "name")), name))
            s = wire_next(s);
        if (!s)
            return name;
        taken = wire_text(wire_get(s, "taken"));
        if (!chosen || span_compare(taken, oldest) < 0) {
            chosen = name;
            oldest = taken;
        }
    }
    return chosen;
}

static const struct problem *take_snapshot(struct mcp_call *c, struct span world)
{
    struct mcp_request request = {.method = "GET", .path = "snapshots", .world = world};
    const struct problem *p;
    const wire_node *answer = NULL;
    const char *name;

    if ((p = mcp_call_get(c, &request, &answer)))
        return p;
    name = choose_snapshot(c, wire_get(answer, "snapshots"));
    request.method = "POST";
    request.path = arena_printf(c->arena, "snapshots/%s", name);
    p = mcp_call_get(c, &request, &answer);
    if (p && p->kind != PROBLEM_WAITS)
        return problem_invalid(
            c->arena, "nothing was changed, since no snapshot could be taken: %s", p->text);
    c->result.snapshot = name;
    return p;
}

struct span mcp_call_own_name(struct mcp_call *c, struct span name)
{
    if (span_starts_with(name, SPAN_LIT(MCP_OWN_WORLD)))
        return name;
    return span_of(arena_printf(c->arena, MCP_OWN_WORLD "%.*s", SPAN_ARG(name)));
}

const struct problem *mcp_call_own_world(struct mcp_call *c, struct span *out)
{
    struct span name = mcp_call_text(c, "world");
    const char *shown = name.len ? arena_text(c->arena, name) : "default";
    const struct problem *p;

    if (c->options->writes == MCP_WRITES_NONE)
        return problem_new(c->arena, PROBLEM_FORBIDDEN,
                           "this changes something, and the tools may only read "
                           "(--mcp-writes none)");
    if (span_starts_with(name, SPAN_LIT(MCP_OWN_WORLD)))
        return mcp_call_world(c, out);
    if (c->options->writes == MCP_WRITES_OWN)
        return problem_new(c->arena, PROBLEM_FORBIDDEN,
                           "this changes world %s, which people use: make a copy with the tool "
                           "worlds, action fork, and give its name as world",
                           shown);
    if ((p = mcp_call_world(c, out)))
        return p;
    return take_snapshot(c, *out);
}
