/* POST /_mockddb/patterns/run: the server's access patterns, or those that are sent, held against
 * the world. */
#include "admin/admin_verb.h"

#include "patterns/pattern_report.h"
#include "patterns/pattern_run.h"
#include "wire/json.h"

/* Answers as a server over HTTP does: patterns know no other one. */
static const char *call_world(void *world, struct arena *a, const char *operation,
                              struct span request, struct client_answer *out)
{
    bool streams = op_find(OP_STREAMS, span_of(operation)) != NULL;
    const struct request call = {
        .target = span_of(
            arena_printf(a, "%s_20120810.%s", streams ? "DynamoDBStreams" : "DynamoDB", operation)),
        .body = request};
    struct reply reply;

    world_mute(world, true); /* nobody's traffic */
    dispatch(world_dispatcher(world), &call, &reply);
    world_mute(world, false);
    return client_answer_read(a, reply.status, arena_span(a, reply.body), out)
               ? NULL
               : arena_printf(a, "the answer to %s is no JSON", operation);
}

/* --- what is asked ---------------------------------------------------------------------------- */

static const struct admin_fault *read_values(struct admin_call *c, struct pattern_run_options *out)
{
    const wire_node *given = wire_get(c->body, "values");
    struct pattern_value *values = arena_array(c->arena, wire_count(given), sizeof *values);

    for (const wire_node *n = wire_first(given); n; n = wire_next(n)) {
        if (json_kind(given) != JSON_OBJECT || json_kind(n) != JSON_STRING)
            return admin_refuse(c, 400, "values takes names with strings");
        values[out->value_count++] = (struct pattern_value){arena_text(c->arena, wire_name(n)),
                                                            wire_text(n)};
    }
    out->values = values;
    return NULL;
}

static const struct admin_fault *read_only_names(struct admin_call *c,
                                                 struct pattern_run_options *out)
{
    const wire_node *given = wire_get(c->body, "only");
    const char **only = arena_array(c->arena, wire_count(given), sizeof *only);

    for (const wire_node *n = wire_first(given); n; n = wire_next(n)) {
        if (json_kind(given) != JSON_ARRAY || json_kind(n) != JSON_STRING)
            return admin_refuse(c, 400, "only takes a list of names of patterns");
        only[out->only_count++] = arena_text(c->arena, wire_text(n));
    }
    out->only = only;
    return NULL;
}

/* The file that the request brings, or those of the server. */
static const struct admin_fault *read_files(struct admin_call *c, struct admin_patterns *out)
{
    const wire_node *sent = wire_get(c->body, "file");
    struct pattern_file *file = arena_alloc(c->arena, sizeof *file);
    struct buf text = buf_in(c->arena);
    const char *problem;

    *out = *c->patterns;
    if (!sent && !out->count)
        return admin_refuse(c, 400,
                            "the server has no patterns: send them as file, or start it "
                            "with --patterns");
    if (!sent)
        return NULL;
    json_write(&text, sent);
    if ((problem = pattern_file_parse(c->arena, "file", buf_span(&text), file)))
        return admin_refuse(c, 400, "%s", problem);
    out->files = file;
    out->count = 1;
    return NULL;
}

/* --- running ---------------------------------------------------------------------------------- */

static const struct admin_fault *run(struct admin_call *c)
{
    struct pattern_run_options options = {
        .caller = {call_world, c->world},
        .allow_writes = wire_bool(wire_get(c->body, "allow_writes"), false)};
    struct pattern_file_result *results;
    struct buf report = buf_in(c->arena);
    const struct admin_fault *f;
    struct admin_patterns files;
    size_t failed = 0;
    const char *problem;

    if ((f = read_files(c, &files)) || (f = read_values(c, &options)) ||
        (f = read_only_names(c, &options)))
        return f;
    if (world_is_advancing(c->world))
        return admin_refuse(c, 409, "this world's clock is being advanced");
    options.prefix = files.prefix;
    results = arena_array(c->arena, files.count, sizeof *results);
    for (size_t i = 0; i < files.count; i++) {
        if ((problem = pattern_run_file(c->arena, &options, &files.files[i], &results[i])))
            return admin_refuse(c, 400, "%s", problem);
        failed += pattern_result_failed(&results[i]);
    }
    pattern_report_format_of("json")->write(
        &report, &(struct pattern_report){
                     .endpoint = arena_text(c->arena, world_name(c->world)),
                     .prefix = files.prefix,
                     .files = results,
                     .file_count = files.count,
                 });
    wire_put_member_bool(&c->out, "holds", failed == 0);
    wire_key(&c->out, "report");
    wire_put_raw(&c->out, buf_span(&report));
    return NULL;
}

static const char *const members[] = {"file", "only", "values", "allow_writes", NULL};

const struct admin_verb verb_patterns_run = {
    .method = "POST", .path = "patterns/run", .members = members, .run = run};
