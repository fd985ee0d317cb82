#include "catalogue/catalogue.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "patterns/pattern_resolve.h"

/* --- kinds: a cache of the results for requests that are written alike ------------------------ */

/* It holds a bounded number of kinds in bounded memory: if there is no room for another one, all
 * are forgotten. */

/* The results that depend neither on values nor on the reply. */
struct catalogue_kind {
    struct span text; /* of its shape */
    uint64_t hash;    /* of the text */
    struct catalogue_value *values;
    size_t value_count;
    bool needs_values;                   /* some value is needed */
    const struct catalogue_step **steps; /* the steps with its shape */
    size_t step_count;
    const struct catalogue_step *answer; /* for a request that reads too much; NULL: unknown */
    bool keyless;                        /* it has no key, so it reads too much */
};

#define MAX_KINDS ((size_t)256)
#define PLACES    (2 * MAX_KINDS) /* so that one slot is always free */
#define MAX_BYTES ((size_t)256 << 10)

struct kind_slot {
    struct span mark;
    const struct catalogue_kind *kind; /* NULL: the slot is free */
};

struct catalogue_kinds {
    struct arena *arena; /* of all kinds kept */
    struct kind_slot places[PLACES];
    size_t count, bytes;
};

/* Makes a cache in the arena. */
static struct catalogue_kinds *catalogue_kinds_new(struct arena *a)
{
    struct catalogue_kinds *k = arena_alloc(a, sizeof *k);

    k->arena = arena_new_in(a);
    return k;
}

/* The slot of the mark, or the free slot for it. */
static size_t place_of(const struct catalogue_kinds *k, struct span mark)
{
    size_t i = hash_bytes(mark) % PLACES;

    while (k->places[i].kind && !span_equal(k->places[i].mark, mark))
        i = (i + 1) % PLACES;
    return i;
}

static size_t size_of(struct span mark, const struct catalogue_kind *kind)
{
    size_t size = sizeof *kind + mark.len + kind->text.len;

    for (size_t i = 0; i < kind->value_count; i++)
        size += sizeof *kind->values + kind->values[i].name.len;
    return size + kind->step_count * sizeof *kind->steps;
}

static const struct catalogue_kind *copy_of(struct arena *a, const struct catalogue_kind *kind)
{
    struct catalogue_kind *copy = arena_alloc(a, sizeof *copy);

    *copy = *kind;
    copy->text = arena_span(a, kind->text);
    copy->values = arena_array(a, kind->value_count, sizeof *copy->values);
    for (size_t i = 0; i < kind->value_count; i++) {
        copy->values[i].name = arena_span(a, kind->values[i].name);
        copy->values[i].in_key = kind->values[i].in_key;
        copy->values[i].needed = kind->values[i].needed;
    }
    copy->steps = arena_array(a, kind->step_count, sizeof *copy->steps);
    for (size_t i = 0; i < kind->step_count; i++)
        copy->steps[i] = kind->steps[i];
    return copy;
}

/* Keeps a copy of a kind whose mark is not in the cache. */
static void catalogue_kinds_keep(struct catalogue_kinds *k, struct span mark,
                                 const struct catalogue_kind *kind)
{
    size_t size = size_of(mark, kind);

    if (size > MAX_BYTES)
        return;
    if (k->count == MAX_KINDS || k->bytes + size > MAX_BYTES) {
        arena_reset(k->arena);
        memset(k->places, 0, sizeof k->places);
        k->count = k->bytes = 0;
    }
    k->places[place_of(k, mark)] = (struct kind_slot){arena_span(k->arena, mark),
                                                      copy_of(k->arena, kind)};
    k->count++;
    k->bytes += size;
}

#define UNLIKE (-1) /* a value that does not match the pattern's */

struct catalogue {
    struct catalogue_step *steps; /* in the order of the files */
    uint64_t *hashes;             /* of the steps' shapes */
    size_t count;
    const char *prefix;
    struct catalogue_kinds *kinds;
};

static uint64_t hash_of(struct span text)
{
    static const struct siphash_key key = {{0, 0}};

    return siphash(&key, text);
}

/* --- the patterns ----------------------------------------------------------------------------- */

static const char *add_step(struct arena *a, struct catalogue *c, const struct pattern *pattern,
                            const struct pattern_step *step)
{
    const struct option_pair prefix = {SPAN_LIT("prefix"), span_of(c->prefix), false};
    const struct pattern_resolve_context context = {&prefix, pattern_resolve_names(a, &prefix, 1),
                                                    NULL};
    struct catalogue_step *s = &c->steps[c->count];
    const wire_node *request;
    const char *problem;
    const struct catalogue_shape *shape;
    struct buf out = buf_in(a);

    if ((problem = pattern_resolve_form(a, &context, step->request, &request)))
        return problem;
    *s = (struct catalogue_step){
        .pattern = pattern, .step = step, .shape = catalogue_shape_of(a, step->op, request)};
    shape = &s->shape;
    /* "Query GSI_JobLookup_v2 by job_id" */
    buf_printf(&out, "pattern '%s' answers this: %s ", s->pattern->name, s->step->op->name);
    if (shape->index.len)
        buf_add_span(&out, shape->index);
    else
        buf_add_span(&out, shape->table);
    for (size_t i = 0; i < shape->key_count; i++)
        buf_printf(&out, "%s%.*s", i ? " and " : " by ", SPAN_ARG(shape->clauses[i].name));
    s->hint = buf_text(&out);
    c->hashes[c->count++] = hash_of(s->shape.text);
    return NULL;
}

const char *catalogue_new(struct arena *a, const struct pattern_file *files, size_t count,
                          const char *prefix, struct catalogue **out)
{
    struct catalogue *c = arena_alloc(a, sizeof *c);
    const char *problem = NULL;
    size_t steps = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < files[i].pattern_count; k++)
            steps += files[i].patterns[k].step_count;
    if (steps > CATALOGUE_STEPS)
        return "there are more access patterns than mockddb can tell apart";
    c->prefix = prefix;
    c->kinds = catalogue_kinds_new(a);
    c->steps = arena_array(a, steps, sizeof *c->steps);
    c->hashes = arena_array(a, steps, sizeof *c->hashes);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < files[i].pattern_count; k++) {
            const struct pattern *p = &files[i].patterns[k];

            for (size_t n = 0; n < p->step_count && !problem; n++)
                problem = add_step(a, c, p, &p->steps[n]);
        }
    *out = c;
    return problem;
}

size_t catalogue_count(const struct catalogue *c)
{
    return c->count;
}

const struct catalogue_step *catalogue_at(const struct catalogue *c, size_t i)
{
    return &c->steps[i];
}

size_t catalogue_index_of(const struct catalogue *c, const struct catalogue_step *step)
{
    return (size_t)(step - c->steps);
}

const char *catalogue_prefix(const struct catalogue *c)
{
    return c->prefix;
}

bool catalogue_has(const struct catalogue *c, struct span name)
{
    for (size_t i = 0; i < c->count; i++)
        if (span_is(name, c->steps[i].pattern->name))
            return true;
    return false;
}

/* --- how similar values are ------------------------------------------------------------------- */

/* The length of the {name} at the text's beginning, or 0. */
static size_t blank_length(struct span text)
{
    size_t len = 1;

    if (text.at[0] != '{')
        return 0;
    while (len < text.len && ((text.at[len] >= 'a' && text.at[len] <= 'z') ||
                              ascii_is_digit(text.at[len]) || text.at[len] == '_'))
        len++;
    return len > 1 && len < text.len && text.at[len] == '}' ? len + 1 : 0;
}

/* How many characters of the pattern's value the request's value has, or UNLIKE; a {name} in it
 * matches any text, as does the answer of an earlier step. */
static int value_likeness(struct span form, struct span value)
{
    const char *past = span_end(value), *at = span_printable(value);
    int same = 0;
    size_t len;

    if (span_starts_with(form, SPAN_LIT("{\"$from\"")))
        return 0;
    while (form.len) {
        if (!(len = blank_length(form))) {
            if (at == past || *at++ != *form.at)
                return UNLIKE;
            form = span_from(form, 1);
            same++;
            continue;
        }
        form = span_from(form, len);
        while (at < past && (!form.len || *at != *form.at))
            at++; /* up to the beginning of the text after it */
    }
    return at < past ? UNLIKE : same;
}

static int likeness_of_all(const struct catalogue_shape *form, const struct catalogue_kind *kind,
                           const struct catalogue_value *values)
{
    int sum = 0;

    for (size_t i = 0; i < form->value_count && i < kind->value_count; i++)
        if (kind->values[i].needed)
            sum += value_likeness(form->values[i].json, values[i].json);
    return sum;
}

/* --- which step would have answered ----------------------------------------------------------- */

/* Whether the request constrains the attribute as far as the clause needs. */
static bool shape_says(const struct catalogue_shape *shape, const struct catalogue_clause *clause)
{
    for (size_t i = 0; i < shape->clause_count; i++)
        if (span_equal(shape->clauses[i].name, clause->name) &&
            (shape->clauses[i].equals || !clause->equals))
            return true;
    return false;
}

static bool says_all(const struct catalogue_shape *shape, const struct catalogue_shape *form)
{
    for (size_t i = 0; i < form->clause_count; i++)
        if (!shape_says(shape, &form->clauses[i]))
            return false;
    return true;
}

/* Whether the request already reads that table or index by that key. */
static bool asks_so(const struct catalogue_shape *shape, const struct catalogue_shape *form)
{
    for (size_t i = 0; i < form->key_count; i++) {
        size_t k = 0;

        while (k < shape->key_count && !span_equal(shape->clauses[k].name, form->clauses[i].name))
            k++;
        if (k == shape->key_count)
            return false;
    }
    return span_equal(shape->index, form->index);
}

/* A read that reads more than it returns, or that was refused. */
static bool looks_in_vain(const struct call_record *record, const struct catalogue_kind *kind)
{
    size_t read = 0, returned = 0;

    for (const struct capacity *used = record->accounts; used; used = used->next) {
        read += used->items_read;
        returned += used->items_returned;
    }
    return record->error || returned < read || kind->keyless;
}

/* --- kinds ------------------------------------------------------------------------------------ */

static struct span value_of(const struct catalogue_step *step, size_t i)
{
    return i < step->shape.value_count ? step->shape.values[i].json : (struct span){NULL, 0};
}

static struct catalogue_kind *make_kind(const struct catalogue *c, struct arena *a,
                                        const struct call_record *record)
{
    struct catalogue_shape shape = catalogue_shape_of(a, record->op, record->body);
    struct catalogue_kind *kind = arena_alloc(a, sizeof *kind);
    struct buf steps = buf_in(a);

    *kind = (struct catalogue_kind){.text = shape.text,
                                    .hash = hash_of(shape.text),
                                    .values = shape.values,
                                    .value_count = shape.value_count,
                                    .keyless = !shape.key_count};
    for (size_t i = 0; i < c->count; i++) {
        const struct catalogue_step *step = &c->steps[i];

        if (c->hashes[i] == kind->hash && span_equal(step->shape.text, kind->text))
            buf_add(&steps, &step, sizeof step);
    }
    kind->steps = (void *)steps.at;
    kind->step_count = steps.len / sizeof *kind->steps;
    /* Finds the values that tell steps of one shape apart. */
    for (size_t i = 0; i < kind->value_count; i++)
        for (size_t k = 1; k < kind->step_count; k++)
            if (!span_equal(value_of(kind->steps[0], i), value_of(kind->steps[k], i)))
                kind->values[i].needed = kind->needs_values = true;
    if (!kind->step_count && shape.table.len && record->op->form != OP_GET) {
        const struct catalogue_step *found = NULL;

        /* The step whose key uses most of the request's clauses. */
        for (size_t i = 0; i < c->count; i++) {
            const struct catalogue_shape *form = &c->steps[i].shape;

            if (form->key_count && span_equal(form->table, shape.table) && says_all(&shape, form) &&
                !asks_so(&shape, form) && (!found || form->key_count > found->shape.key_count))
                found = &c->steps[i];
        }
        kind->answer = found;
    }
    return kind;
}

/* The request's values, as far as they are needed. False: the shape has to be computed again. */
static bool reread_values(struct arena *a, const struct call_record *record,
                          const struct catalogue_kind *kind, struct catalogue_value **values)
{
    *values = NULL;
    if (!kind->needs_values)
        return true;
    *values = arena_array(a, kind->value_count, sizeof **values);
    memcpy(*values, kind->values, kind->value_count * sizeof **values);
    return catalogue_shape_reread(a, record->body, *values, kind->value_count);
}

/* Most requests are written like an earlier one, whose shape is known. */
static const struct catalogue_kind *find_kind(const struct catalogue *c, struct arena *a,
                                              const struct call_record *record,
                                              struct catalogue_value **values)
{
    struct buf mark = buf_in(a);
    bool marked = catalogue_shape_mark(&mark, record->op, record->body);
    const struct catalogue_kind *kept =
        marked ? c->kinds->places[place_of(c->kinds, buf_span(&mark))].kind : NULL;
    struct catalogue_kind *made;

    if (kept && reread_values(a, record, kept, values))
        return kept;
    made = make_kind(c, a, record);
    if (marked && !kept)
        catalogue_kinds_keep(c->kinds, buf_span(&mark), made);
    *values = made->values;
    return made;
}

/* --- indexes ---------------------------------------------------------------------------------- */

static bool is_used(const struct catalogue *c, struct span table, struct span index)
{
    for (size_t i = 0; i < c->count; i++)
        if (span_equal(c->steps[i].shape.table, table) &&
            span_equal(c->steps[i].shape.index, index))
            return true;
    return false;
}

static bool reads_strange_index(const struct catalogue *c, const struct capacity *accounts)
{
    for (const struct capacity *used = accounts; used; used = used->next)
        for (size_t i = 0; !used->writes && i < used->table->index_count; i++)
            if (used->indexes[i].used &&
                !is_used(c, used->table->name, used->table->indexes[i].name))
                return true;
    return false;
}

void catalogue_match(const struct catalogue *c, struct arena *a, const struct call_record *record,
                     struct catalogue_match *out)
{
    const struct catalogue_kind *kind;
    struct catalogue_value *values;

    *out = (struct catalogue_match){.count = 0};
    if (!record->op || !record->body ||
        (record->error && error_is_at_the_door(record->error->kind)))
        return;
    kind = find_kind(c, a, record, &values);
    /* A request that was refused did not do what a pattern does. */
    if (!record->error || !error_is_refusal(record->error->kind)) {
        int best = 0, like;

        /* Of the steps with the request's shape, chooses those whose values are most similar. */
        for (size_t i = 0; i < kind->step_count; i++) {
            like = kind->needs_values ? likeness_of_all(&kind->steps[i]->shape, kind, values) : 0;
            if (out->count && like < best)
                continue;
            if (out->count && like > best)
                out->count = 0;
            best = like;
            if (out->count < CATALOGUE_TIES)
                out->steps[out->count++] = kind->steps[i];
        }
    }
    if (kind->answer && looks_in_vain(record, kind))
        out->answer = kind->answer;
    out->strange_index = reads_strange_index(c, record->accounts);
    if (out->count || op_takes(record->op, "ReturnConsumedCapacity")) {
        out->shape = kind->text;
        out->hash = kind->hash;
    }
}
