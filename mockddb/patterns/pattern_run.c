#include "patterns/pattern_run.h"

#include "model/num.h"
#include "patterns/pattern_expect.h"
#include "patterns/pattern_operation.h"
#include "wire/json.h"

/* A pattern under way. `error` is set once the endpoint cannot be reached: that ends the run. */
struct run {
    struct arena *arena;
    const struct pattern_run_options *options;
    const struct pattern_value *values;
    size_t value_count;
    const char *error;
};

/* What a request gets beside its own members; these win over members of the same name. */
struct extra {
    const char *name;
    struct span json; /* len 0: nothing */
};

static bool is_extra(const struct extra *extras, size_t count, struct span name)
{
    size_t i;

    for (i = 0; i < count; i++) {
        if (extras[i].json.len && span_is(name, extras[i].name))
            return true;
    }
    return false;
}

/* The members of `object` and the extras as one JSON object. */
static struct span with_extras(struct arena *a, const wire_node *object, const struct extra *extras,
                               size_t count)
{
    struct buf out = buf_in(a);
    const wire_node *member;
    const char *separator = "";
    size_t i;

    buf_add_char(&out, '{');
    for (member = wire_first(object); member; member = wire_next(member)) {
        if (is_extra(extras, count, wire_name(member)))
            continue;
        buf_add_text(&out, separator);
        buf_add_json_string(&out, wire_name(member));
        buf_add_text(&out, ": ");
        json_write(&out, member);
        separator = ", ";
    }
    for (i = 0; i < count; i++) {
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
    const wire_node *index;

    for (index = wire_first(indexes); index; index = wire_next(index)) {
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

/* Adds one answer's figures; batches have an entry for each table. */
static void add_cost(struct run *r, struct pattern_step_result *result, const wire_node *answer)
{
    const wire_node *consumed = wire_get(answer, "ConsumedCapacity"), *entry;

    if (consumed && json_kind(consumed) == JSON_OBJECT)
        add_consumed(r->arena, &result->cost, consumed);
    else
        for (entry = wire_first(consumed); entry; entry = wire_next(entry))
            add_consumed(r->arena, &result->cost, entry);
    result->cost.read += (size_t)wire_integer(wire_get(answer, "ScannedCount"), 0);
}

/* --- pages ------------------------------------------------------------------------------------ */

/* The pages of one step, joined. */
struct pages {
    struct buf items; /* the elements of the joined array, without brackets */
    size_t item_count;
    int64_t count, scanned;
    const wire_node *last;
};

static void add_page(struct pages *pages, const wire_node *answer, size_t max_items)
{
    const wire_node *item;

    for (item = wire_first(wire_get(answer, "Items")); item; item = wire_next(item)) {
        if (max_items && pages->item_count == max_items)
            break;
        if (pages->item_count++)
            buf_add_text(&pages->items, ", ");
        json_write(&pages->items, item);
    }
    pages->count += wire_integer(wire_get(answer, "Count"), 0);
    pages->scanned += wire_integer(wire_get(answer, "ScannedCount"), 0);
    pages->last = answer;
}

/* One answer that looks as if there had been one page; LastEvaluatedKey is the last page's. */
static struct span joined(struct arena *a, const struct pages *pages)
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

static const char *call(struct run *r, const char *operation, struct span request,
                        struct client_answer *out)
{
    const struct pattern_caller *caller = &r->options->caller;

    return caller->call(caller->context, r->arena, operation, request, out);
}

/* Sends one request. False when there is nothing to go on with: no answer, or an error. */
static bool send(struct run *r, struct pattern_step_result *result, struct span request)
{
    struct client_answer answer;

    r->error = call(r, result->step->operation, request, &answer);
    if (r->error)
        return false;
    result->answer = answer.body;
    result->millis += answer.millis;
    result->error_type = answer.error_type;
    result->message = answer.message;
    add_cost(r, result, answer.body);
    return !answer.error_type.len;
}

static struct span request_text(struct run *r, const struct pattern_step_result *result,
                                const wire_node *start_key)
{
    bool ask = pattern_operation_reports_capacity(result->step->operation) &&
               !wire_get(result->request, "ReturnConsumedCapacity");
    struct extra extras[] = {
        {"ReturnConsumedCapacity", ask ? SPAN_LIT("\"INDEXES\"") : (struct span){NULL, 0}},
        {"ExclusiveStartKey", json_of(r->arena, start_key)},
    };

    return with_extras(r->arena, result->request, extras, COUNT(extras));
}

static bool send_pages(struct run *r, struct pattern_step_result *result)
{
    const struct pattern_step *step = result->step;
    struct pages pages = {.items = buf_in(r->arena)};
    const wire_node *key = NULL;

    do {
        if (!send(r, result, request_text(r, result, key)))
            return false;
        add_page(&pages, result->answer, step->max_items);
        key = wire_get(result->answer, "LastEvaluatedKey");
    } while (key && (!step->max_items || pages.item_count < step->max_items));
    return !wire_parse(r->arena, joined(r->arena, &pages), &result->answer);
}

/* --- picking ---------------------------------------------------------------------------------- */

/* Whether a's attribute is beyond b's in the wanted direction. Both are S or N as sent. */
static bool beyond(const wire_node *a, const wire_node *b, bool highest)
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

/* Puts the chosen item into the answer as its member Picked. */
static bool pick(struct run *r, struct pattern_step_result *result)
{
    struct client_items items = client_items_of(r->arena, result->answer);
    const wire_node *best = NULL;
    struct extra extra = {"Picked", {NULL, 0}};
    size_t i;

    for (i = 0; i < items.len; i++) {
        const wire_node *value = wire_get(items.at[i], result->step->pick);

        if (can_be_ordered(value) && (!best || beyond(value, wire_get(best, result->step->pick),
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

static void send_step(struct run *r, struct pattern_step_result *result)
{
    const struct pattern_step *step = result->step;
    bool paged = pattern_operation_is_paged(step->operation) &&
                 (step->all_pages || step->max_items);
    bool sent = paged ? send_pages(r, result) : send(r, result, request_text(r, result, NULL));

    if (!sent || (step->pick && !pick(r, result)))
        return;
    result->cost.read += pattern_operation_keys(step->operation, result->request);
    result->items = client_items_of(r->arena, result->answer);
}

/* Values in an expectation or cost; NULL stays NULL. Sets *out only on success. */
static const char *resolve_optional(struct run *r, const struct pattern_resolve_context *context,
                                    const wire_node *node, const wire_node **out)
{
    struct pattern_resolved resolved = {NULL, NULL};
    const char *error = node ? pattern_resolve(r->arena, context, node, &resolved) : NULL;

    if (!error)
        *out = resolved.sent;
    return error;
}

/* False when the rest of the pattern makes no sense. */
static bool run_step(struct run *r, const struct pattern_step *step, struct pattern_result *result)
{
    struct pattern_step_result *mine = &result->steps[result->step_count];
    struct pattern_resolve_context context = {r->values, r->value_count, result};
    const wire_node *expect = NULL;
    struct pattern_resolved request;
    const char *error = pattern_resolve(r->arena, &context, step->request, &request);

    *mine = (struct pattern_step_result){.step = step};
    result->step_count++;
    if (error) {
        pattern_result_fail(r->arena, result, step, "%s", error);
        return false;
    }
    mine->request = request.sent;
    mine->shown = request.shown;
    if (!r->options->allow_writes && pattern_operation_writes(step->operation, mine->request)) {
        pattern_result_fail(r->arena, result, step, "%s may write: refused without --allow-writes",
                            step->operation);
        return false;
    }
    send_step(r, mine);
    if (r->error)
        return false;
    if ((error = resolve_optional(r, &context, step->expect, &expect))) {
        pattern_result_fail(r->arena, result, step, "%s", error);
        return false;
    }
    pattern_expect_check(r->arena, expect, mine, result);
    pattern_expect_check_cost(r->arena, step->cost, mine, result);
    return !result->failure_count;
}

static void run_pattern(struct run *r, const struct pattern *pattern, struct pattern_result *out)
{
    size_t i;

    *out = (struct pattern_result){.pattern = pattern};
    out->steps = arena_array(r->arena, pattern->step_count, sizeof *out->steps);
    for (i = 0; i < pattern->step_count && !r->error; i++) {
        if (!run_step(r, &pattern->steps[i], out) && !r->options->goes_on)
            break;
    }
}

static bool is_selected(const struct pattern_run_options *options, const struct pattern *pattern)
{
    size_t i;

    for (i = 0; i < options->only_count; i++) {
        if (strcmp(options->only[i], pattern->name) == 0)
            return true;
    }
    return options->only_count == 0;
}

/* --- values and tables ------------------------------------------------------------------------ */

/* The prefix, then what the command line gives, then the file's own: the first of a name counts. */
static void gather_values(struct run *r, const struct pattern_file *file)
{
    size_t given = r->options->value_count, count = 1 + given + wire_count(file->values), i = 0;
    struct pattern_value *values = arena_array(r->arena, count, sizeof *values);
    const wire_node *node;

    values[i++] = (struct pattern_value){"prefix", span_of(r->options->prefix)};
    if (given)
        memcpy(values + i, r->options->values, given * sizeof *values);
    i += given;
    for (node = wire_first(file->values); node; node = wire_next(node))
        values[i++] = (struct pattern_value){arena_text(r->arena, wire_name(node)),
                                             wire_text(node)};
    r->values = values;
    r->value_count = count;
}

static void describe_tables(struct run *r, const struct pattern_file *file,
                            struct pattern_file_result *out)
{
    struct client_answer answer;
    size_t i;

    for (i = 0; i < file->section_count && !r->error; i++) {
        struct buf request = buf_in(r->arena);

        if (!file->sections[i].table)
            continue;
        buf_add_text(&request, "{\"TableName\": ");
        buf_add_json_string(&request, span_of(arena_printf(r->arena, "%s%s", r->options->prefix,
                                                           file->sections[i].table)));
        buf_add_char(&request, '}');
        r->error = call(r, "DescribeTable", buf_span(&request), &answer);
        if (!r->error)
            out->tables[i] = wire_get(answer.body, "Table");
    }
}

const char *pattern_run_file(struct arena *a, const struct pattern_run_options *options,
                             const struct pattern_file *file, struct pattern_file_result *out)
{
    struct run r = {.arena = a, .options = options};
    size_t i;

    gather_values(&r, file);
    *out = (struct pattern_file_result){.file = file};
    out->patterns = arena_array(a, file->pattern_count, sizeof *out->patterns);
    out->tables = arena_array(a, file->section_count, sizeof(const wire_node *));
    for (i = 0; i < file->pattern_count && !r.error; i++) {
        if (is_selected(options, &file->patterns[i]))
            run_pattern(&r, &file->patterns[i], &out->patterns[out->pattern_count++]);
    }
    if (options->describe_tables)
        describe_tables(&r, file, out);
    return r.error;
}
