#include "patterns/pattern_run.h"

#include "base/cycle.h"
#include "model/num.h"
#include "patterns/pattern_expect.h"
#include "patterns/pattern_operation.h"
#include "wire/json.h"

/* The joined pages of one step. */
struct pages {
    struct buf items; /* the elements of the joined array, without brackets */
    size_t item_count;
    int64_t count, scanned;
    const wire_node *last;
};

/* `error` is set if the endpoint cannot be reached, which ends the run. */
struct pattern_run {
    struct arena *arena;
    const struct pattern_run_options *options;
    struct pattern_resolve_context context;
    const struct pattern_names *only; /* NULL: all */
    const char *error;

    /* the current pattern */
    struct pattern_result *result;
    bool failed;                    /* the rest of the pattern cannot be run */
    struct pattern_step_result *at; /* the current step; NULL: between two */
    const wire_node *key;           /* the start of its next page; NULL: the first page */
    struct cycle keys;
    struct pages pages;
};

/* A member that is added to a request; it replaces a member of the same name. */
struct extra {
    const char *name;
    struct span json; /* len 0: no member */
};

static bool is_extra(const struct extra *extras, size_t count, struct span name)
{
    for (size_t i = 0; i < count; i++)
        if (extras[i].json.len && span_is(name, extras[i].name))
            return true;
    return false;
}

/* The members of `object` and the extras as one JSON object. */
static struct span with_extras(struct arena *a, const wire_node *object, const struct extra *extras,
                               size_t count)
{
    struct buf out = buf_in(a);
    const char *separator = "";

    buf_add_char(&out, '{');
    for (const wire_node *member = wire_first(object); member; member = wire_next(member)) {
        if (is_extra(extras, count, wire_name(member)))
            continue;
        buf_add_text(&out, separator);
        buf_add_json_string(&out, wire_name(member));
        buf_add_text(&out, ": ");
        json_write(&out, member);
        separator = ", ";
    }
    for (size_t i = 0; i < count; i++) {
        if (!extras[i].json.len)
            continue;
        buf_printf(&out, "%s\"%s\": ", separator, extras[i].name);
        buf_add_span(&out, extras[i].json);
        separator = ", ";
    }
    buf_add_char(&out, '}');
    return buf_span(&out);
}

static struct span json_of(struct arena *a, const wire_node *node)
{
    struct buf out = buf_in(a);

    if (node)
        json_write(&out, node);
    return buf_span(&out);
}

/* --- cost ------------------------------------------------------------------------------------- */

static void add_index_names(struct buf *out, const wire_node *indexes)
{
    for (const wire_node *index = wire_first(indexes); index; index = wire_next(index)) {
        if (out->len)
            buf_add_text(out, ", ");
        buf_add_span(out, wire_name(index));
    }
}

static void add_consumed(struct arena *a, struct pattern_step_cost *cost, const wire_node *consumed)
{
    struct buf names = buf_in(a);

    cost->rcu += wire_double(wire_get(consumed, "CapacityUnits"), 0);
    add_index_names(&names, wire_get(consumed, "GlobalSecondaryIndexes"));
    add_index_names(&names, wire_get(consumed, "LocalSecondaryIndexes"));
    if (names.len)
        cost->index = buf_text(&names);
    else if (!cost->index)
        cost->index = "table";
}

/* --- pages ------------------------------------------------------------------------------------ */

/* Joins the pages into one answer; LastEvaluatedKey is the last page's. */
static struct span joined_pages(struct arena *a, const struct pages *pages)
{
    struct buf items = buf_in(a);
    struct extra extras[] = {
        {"Items", {NULL, 0}},
        {"Count", span_of(arena_printf(a, "%lld", (long long)pages->count))},
        {"ScannedCount", span_of(arena_printf(a, "%lld", (long long)pages->scanned))},
    };

    if (wire_get(pages->last, "Items")) {
        buf_add_char(&items, '[');
        buf_add_span(&items, buf_span(&pages->items));
        buf_add_char(&items, ']');
        extras[0].json = buf_span(&items);
    }
    return with_extras(a, pages->last, extras, COUNT(extras));
}

/* Sends one request. False if the step cannot continue: there is no answer, or an error. */
static bool send_request(struct pattern_run *r, struct pattern_step_result *result,
                         struct span request)
{
    struct client_answer answer;
    const wire_node *consumed, *entry;

    r->error = client_call(r->options->client, r->arena, result->step->op->name, request, &answer);
    if (r->error)
        return false;
    result->answer = answer.body;
    result->millis += answer.millis;
    result->error_type = answer.error_type;
    result->message = answer.message;
    consumed = wire_get(answer.body, "ConsumedCapacity");
    /* Adds one answer's figures; batches have an entry for each table. */
    if (consumed && json_kind(consumed) == JSON_OBJECT)
        add_consumed(r->arena, &result->cost, consumed);
    else
        for (entry = wire_first(consumed); entry; entry = wire_next(entry))
            add_consumed(r->arena, &result->cost, entry);
    result->cost.read += (size_t)wire_integer(wire_get(answer.body, "ScannedCount"), 0);
    return !answer.error_type.len;
}

static struct span request_text(struct pattern_run *r, const struct pattern_step_result *result,
                                const wire_node *start_key)
{
    bool ask = op_takes(result->step->op, "ReturnConsumedCapacity") &&
               !wire_get(result->request, "ReturnConsumedCapacity");
    struct extra extras[] = {
        {"ReturnConsumedCapacity", ask ? SPAN_LIT("\"INDEXES\"") : (struct span){NULL, 0}},
        {"ExclusiveStartKey", json_of(r->arena, start_key)},
    };

    return with_extras(r->arena, result->request, extras, COUNT(extras));
}

/* Sends the step's next request. False if there are more: r->key is then the start of the next
 * page. */
static bool send_next(struct pattern_run *r, bool *sent)
{
    struct pattern_step_result *mine = r->at;
    struct pages *pages;

    *sent = send_request(r, mine, request_text(r, mine, r->key));
    if (!*sent || !op_takes(mine->step->op, "ExclusiveStartKey") ||
        (!mine->step->all_pages && !mine->step->max_items))
        return true;
    pages = &r->pages;
    for (const wire_node *item = wire_first(wire_get(mine->answer, "Items")); item;
         item = wire_next(item)) {
        if (mine->step->max_items && pages->item_count == mine->step->max_items)
            break;
        if (pages->item_count++)
            buf_add_text(&pages->items, ", ");
        json_write(&pages->items, item);
    }
    pages->count += wire_integer(wire_get(mine->answer, "Count"), 0);
    pages->scanned += wire_integer(wire_get(mine->answer, "ScannedCount"), 0);
    pages->last = mine->answer;
    r->key = wire_get(mine->answer, "LastEvaluatedKey");
    if (r->key && cycle_closes(&r->keys, json_of(r->arena, r->key))) {
        r->error = "the endpoint answers with a LastEvaluatedKey that it had answered with before";
        *sent = false;
        return true;
    }
    if (r->key && (!mine->step->max_items || r->pages.item_count < mine->step->max_items))
        return false;
    *sent = !wire_parse(r->arena, joined_pages(r->arena, &r->pages), &mine->answer);
    return true;
}

/* --- picking ---------------------------------------------------------------------------------- */

/* Whether a's attribute is beyond b's in the given direction. Both are S or N as sent. */
static bool is_beyond(const wire_node *a, const wire_node *b, bool highest)
{
    const wire_node *x = wire_first(a), *y = wire_first(b);
    int order;

    if (span_is(wire_name(x), "N") && span_is(wire_name(y), "N")) {
        struct num left, right;

        if (num_parse(wire_text(x), false, &left) != NUM_OK ||
            num_parse(wire_text(y), false, &right) != NUM_OK)
            return false;
        order = num_compare(&left, &right);
    } else {
        order = span_compare(wire_text(x), wire_text(y));
    }
    return highest ? order > 0 : order < 0;
}

static bool can_be_ordered(const wire_node *value)
{
    const wire_node *member = value && json_kind(value) == JSON_OBJECT ? wire_first(value) : NULL;

    return member && json_kind(member) == JSON_STRING;
}

/* Adds the chosen item to the answer as its member Picked. */
static bool pick_item(struct pattern_run *r, struct pattern_step_result *result)
{
    struct client_items items = client_items_of(r->arena, result->answer);
    const wire_node *best = NULL;
    struct extra extra = {"Picked", {NULL, 0}};

    for (size_t i = 0; i < items.len; i++) {
        const wire_node *value = wire_get(items.at[i], result->step->pick);

        if (can_be_ordered(value) && (!best || is_beyond(value, wire_get(best, result->step->pick),
                                                         result->step->pick_highest)))
            best = items.at[i];
    }
    if (!best)
        return true;
    extra.json = json_of(r->arena, best);
    if (wire_parse(r->arena, with_extras(r->arena, result->answer, &extra, 1), &result->answer))
        return false;
    result->picked = wire_get(result->answer, "Picked");
    return true;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Resolves the values in an expectation or cost; NULL stays NULL. Sets *out only on success. */
static const char *resolve_optional(struct pattern_run *r,
                                    const struct pattern_resolve_context *context,
                                    const wire_node *node, const wire_node **out)
{
    struct pattern_resolved resolved = {NULL, NULL};
    const char *error = node ? pattern_resolve(r->arena, context, node, &resolved) : NULL;

    if (!error)
        *out = resolved.sent;
    return error;
}

static void fail_step(struct pattern_run *r, const struct pattern_step *step, const char *why)
{
    pattern_result_fail(r->arena, r->result, step, "%s", why);
    r->failed = true;
}

static void begin_step(struct pattern_run *r)
{
    const struct pattern_step *step = &r->result->pattern->steps[r->result->step_count];
    struct pattern_step_result *mine = &r->result->steps[r->result->step_count];
    struct pattern_resolved request;
    const char *error;

    r->context.earlier = r->result;
    error = pattern_resolve(r->arena, &r->context, step->request, &request);
    *mine = (struct pattern_step_result){.step = step};
    (void)pattern_names_add(r->result->names, span_of(step->name), r->result->step_count++);
    if (error) {
        fail_step(r, step, error);
        return;
    }
    mine->request = request.sent;
    mine->shown = request.shown;
    if (!r->options->allow_writes && pattern_operation_writes(step->op, mine->request)) {
        fail_step(
            r, step,
            arena_printf(r->arena, "%s may write: refused without --allow-writes", step->op->name));
        return;
    }
    r->at = mine;
    r->key = NULL;
    r->keys = (struct cycle){0};
    r->pages = (struct pages){.items = buf_in(r->arena)};
}

static void end_step(struct pattern_run *r, bool sent)
{
    struct pattern_step_result *mine = r->at;
    const wire_node *expect = NULL;
    const char *error;

    r->at = NULL;
    if (sent && (!mine->step->pick || pick_item(r, mine))) {
        mine->cost.read += pattern_operation_keys(mine->step->op, mine->request);
        mine->items = client_items_of(r->arena, mine->answer);
    }
    if (r->error)
        return;
    if ((error = resolve_optional(r, &r->context, mine->step->expect, &expect))) {
        fail_step(r, mine->step, error);
        return;
    }
    pattern_expect_check(r->arena, expect, mine, r->result);
    pattern_expect_check_cost(r->arena, mine->step->cost, mine, r->result);
    r->failed = r->result->failure_count > 0;
}

void pattern_run_begin(struct pattern_run *r, const struct pattern *pattern,
                       struct pattern_result *out)
{
    *out = (struct pattern_result){.pattern = pattern};
    out->steps = arena_array(r->arena, pattern->step_count, sizeof *out->steps);
    out->names = pattern_names_new(r->arena, pattern->step_count);
    r->result = out;
    r->failed = false;
    r->at = NULL;
}

bool pattern_run_step(struct pattern_run *r)
{
    bool sent;

    if (!r->at)
        begin_step(r);
    if (r->at && send_next(r, &sent))
        end_step(r, sent);
    return r->error || (!r->at && ((r->failed && !r->options->goes_on) ||
                                   r->result->step_count == r->result->pattern->step_count));
}

bool pattern_run_has(const struct pattern_run *r, const struct pattern *pattern)
{
    return !r->only || pattern_names_has(r->only, span_of(pattern->name));
}

/* --- values and tables ------------------------------------------------------------------------ */

struct pattern_run *pattern_run_new(struct arena *a, const struct pattern_run_options *options,
                                    const struct pattern_file *file)
{
    struct pattern_run *r = arena_alloc(a, sizeof *r);
    size_t given, count, i = 0;
    struct option_pair *values;
    struct pattern_names *only;

    r->arena = a;
    r->options = options;
    given = r->options->values.count;
    count = 1 + given + wire_count(file->values);
    values = arena_array(r->arena, count, sizeof *values);
    /* The prefix, then the command line's values, then the file's: the first of a name counts. */
    values[i++] = (struct option_pair){SPAN_LIT("prefix"), span_of(r->options->prefix), false};
    if (given)
        memcpy(values + i, r->options->values.at, given * sizeof *values);
    i += given;
    for (const wire_node *node = wire_first(file->values); node; node = wire_next(node))
        values[i++] = (struct option_pair){wire_name(node), wire_text(node), false};
    r->context = (struct pattern_resolve_context){
        values, pattern_resolve_names(r->arena, values, count), NULL};
    only = pattern_names_new(r->arena, r->options->only_count);
    for (size_t k = 0; k < r->options->only_count; k++)
        (void)pattern_names_add(only, span_of(r->options->only[k]), k);
    r->only = r->options->only_count ? only : NULL;
    return r;
}

const char *pattern_run_error(const struct pattern_run *r)
{
    return r->error;
}

static void describe_tables(struct pattern_run *r, const struct pattern_file *file,
                            struct pattern_file_result *out)
{
    for (size_t i = 0; i < file->section_count && !r->error; i++) {
        const char *table;

        if (!file->sections[i].table)
            continue;
        table = arena_printf(r->arena, "%s%s", r->options->prefix, file->sections[i].table);
        r->error = client_call(r->options->client, r->arena, "DescribeTable",
                               client_table_request(r->arena, span_of(table)), &out->tables[i]);
    }
}

const char *pattern_run_file(struct arena *a, const struct pattern_run_options *options,
                             const struct pattern_file *file, struct pattern_file_result *out)
{
    struct pattern_run *r = pattern_run_new(a, options, file);

    *out = (struct pattern_file_result){.file = file};
    out->patterns = arena_array(a, file->pattern_count, sizeof *out->patterns);
    out->tables = arena_array(a, file->section_count, sizeof *out->tables);
    for (size_t i = 0; i < file->pattern_count && !r->error; i++) {
        if (!pattern_run_has(r, &file->patterns[i]))
            continue;
        pattern_run_begin(r, &file->patterns[i], &out->patterns[out->pattern_count++]);
        while (!pattern_run_step(r))
            ;
    }
    if (options->describe_tables)
        describe_tables(r, file, out);
    return r->error;
}

/* --- options ---------------------------------------------------------------------------------- */

/* Names are found by hash: files and options may have hundreds of thousands of each. */
const char *pattern_run_check_names(struct arena *a, const struct pattern_run_options *options,
                                    const struct pattern_file *files, size_t count)
{
    struct pattern_names *patterns, *values;
    size_t pattern_count = 0, value_count = 0;

    for (size_t i = 0; i < count; i++) {
        pattern_count += files[i].pattern_count;
        value_count += wire_count(files[i].values);
    }
    patterns = pattern_names_new(a, pattern_count);
    values = pattern_names_new(a, value_count);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < files[i].pattern_count; k++)
            (void)pattern_names_add(patterns, span_of(files[i].patterns[k].name), k);
        for (const wire_node *v = wire_first(files[i].values); v; v = wire_next(v))
            (void)pattern_names_add(values, wire_name(v), i);
    }
    for (size_t i = 0; i < options->only_count; i++)
        if (!pattern_names_has(patterns, span_of(options->only[i])))
            return arena_printf(a, "there is no pattern %s", options->only[i]);
    for (size_t i = 0; i < options->values.count; i++)
        if (!pattern_names_has(values, options->values.at[i].name))
            return arena_printf(a, "there is no value %.*s to set",
                                SPAN_ARG(options->values.at[i].name));
    return NULL;
}
