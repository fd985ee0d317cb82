/* Every kind of assertion. */
#include "journal/assertion_kind.h"

#include <stdio.h>

/* --- the request named in a report ------------------------------------------------------------ */

static void copy_text(char out[ASSERTION_TEXT], struct span text)
{
    size_t len = text.len < ASSERTION_TEXT ? text.len : ASSERTION_TEXT - 1;

    while (len < text.len && len && ((unsigned char)text.at[len] & 0xC0) == 0x80)
        len--; /* a character is not cut */
    (void)snprintf(out, ASSERTION_TEXT, "%.*s", (int)len, text.at);
}

static struct assertion_request copy_request(const struct assertion *x,
                                             const struct journal_entry *e)
{
    struct assertion_request r = {.id = e->id, .began_ms = e->began_ms, .op = e->op};
    struct arena *scratch = arena_new();
    const wire_node *body;

    (void)snprintf(r.world, sizeof r.world, "%.*s", SPAN_ARG(x->world));
    copy_text(r.client, journal_entry_client(e));
    copy_text(r.shape,
              e->op ? span_of(e->op->name) : SPAN_LIT("a request without a known operation"));
    if (e->op && !error_is_at_the_door(e->error) &&
        !wire_parse(scratch, journal_entry_body(e), &body))
        copy_text(r.shape, catalogue_shape_of(scratch, e->op, body).text);
    arena_free(scratch);
    return r;
}

/* "17 (Scan Users filter level = ? in world gw0 at 2026-01-01T00:00:00.000Z by Boto3/1.34.0)" */
static void say_request(const struct assertion *x, const struct assertion_request *r,
                        struct buf *out)
{
    if (x->numbered)
        buf_printf(out, "%llu (%s ", (unsigned long long)r->id, r->shape);
    else
        buf_printf(out, "%s (", r->shape);
    buf_printf(out, "in world %s at %sZ%s%s)", r->world, clock_iso_time(out->arena, r->began_ms),
               *r->client ? " by " : "", r->client);
}

static void count_break(struct assertion *x, const struct journal_entry *e)
{
    if (!x->count++)
        x->first = copy_request(x, e);
}

/* --- operations ------------------------------------------------------------------------------- */

static void take_no(struct assertion *x, const struct journal_entry *e)
{
    if (e->op && span_is_among(span_of(e->op->name), x->words, x->word_count))
        count_break(x, e);
}

/* --- units ------------------------------------------------------------------------------------ */

static void take_read(struct assertion *x, const struct journal_entry *e)
{
    x->total += e->read_units;
}

static void take_write(struct assertion *x, const struct journal_entry *e)
{
    x->total += e->write_units;
}

static bool holds_total(const struct assertion *x)
{
    return x->total <= x->number;
}

static void say_total(const struct assertion *x, struct buf *out)
{
    buf_printf(out, "%.15g units were consumed", x->total);
}

static void take_most(struct assertion *x, const struct journal_entry *e, double measure)
{
    if (measure <= x->number)
        return;
    count_break(x, e);
    if (measure > x->total)
        x->total = measure;
}

static void take_read_each(struct assertion *x, const struct journal_entry *e)
{
    take_most(x, e, e->read_units);
}

static void take_write_each(struct assertion *x, const struct journal_entry *e)
{
    take_most(x, e, e->write_units);
}

static void say_each(const struct assertion *x, struct buf *out)
{
    buf_printf(out, ", and %.15g the most", x->total);
}

/* --- items read and discarded ----------------------------------------------------------------- */

static void take_filtered(struct assertion *x, const struct journal_entry *e)
{
    if (e->items_read && e->pages)
        take_most(x, e,
                  100.0 * (double)(e->items_read - e->items_returned) / (double)e->items_read);
}

static void say_filtered(const struct assertion *x, struct buf *out)
{
    buf_printf(out, ", and %.3g %% the most", x->total);
}

/* --- indexes ---------------------------------------------------------------------------------- */

static void take_indexes(struct assertion *x, const struct journal_entry *e)
{
    struct journal_account_view account;
    size_t at = 0;

    while (journal_entry_account(e, &at, &account)) {
        struct journal_index_view index;

        if (account.account.writes)
            continue;
        while (journal_entry_index(&account.indexes, &index)) {
            if (span_is_among(index.name, x->words, x->word_count))
                continue;
            count_break(x, e);
            return;
        }
    }
}

static void take_strange(struct assertion *x, const struct journal_entry *e)
{
    if (e->strange_index)
        count_break(x, e);
}

/* --- patterns --------------------------------------------------------------------------------- */

static void take_pattern(struct assertion *x, const struct journal_entry *e)
{
    for (size_t i = 0; i < CATALOGUE_TIES && e->steps[i]; i++)
        x->sent[e->steps[i] - 1] = true;
}

/* A pattern was used if each of its steps was sent. */
static bool was_used(const struct assertion *x, struct span name)
{
    for (size_t i = 0; i < catalogue_count(x->catalogue); i++)
        if (!x->sent[i] && span_is(name, catalogue_at(x->catalogue, i)->pattern->name))
            return false;
    return true;
}

static bool holds_pattern(const struct assertion *x)
{
    for (size_t i = 0; i < x->word_count; i++)
        if (!was_used(x, x->words[i]))
            return false;
    return true;
}

static void say_pattern(const struct assertion *x, struct buf *out)
{
    const char *between = "";

    for (size_t i = 0; i < x->word_count; i++) {
        if (was_used(x, x->words[i]))
            continue;
        buf_printf(out, "%s%.*s", between, SPAN_ARG(x->words[i]));
        between = ", ";
    }
    buf_add_text(out, " was not used");
}

/* --- errors ----------------------------------------------------------------------------------- */

static void take_validation(struct assertion *x, const struct journal_entry *e)
{
    if (e->error == ERROR_VALIDATION || e->error == ERROR_SERIALIZATION)
        count_break(x, e);
}

/* --- batches ---------------------------------------------------------------------------------- */

/* The world is part of the hash, so requests to two worlds never count as a sequence. */
static uint64_t hash_of(const struct assertion *x, struct span bytes)
{
    static const struct siphash_key none = {{0, 0}};
    const struct siphash_key key = {{siphash(&none, x->world), 0}};

    return siphash(&key, bytes);
}

static void forget_recent(struct assertion *x, size_t i)
{
    x->recent[i] = x->recent[--x->recent_count];
}

static void remember_call(struct assertion *x, const struct journal_entry *e, uint64_t hash)
{
    if (x->recent_count == ASSERTION_RECENT)
        forget_recent(x, 0);
    x->recent[x->recent_count++] = (struct assertion_recent){
        .hash = hash, .end_us = e->began_us + e->took_us, .request = copy_request(x, e)};
}

/* The index of an earlier call with the same hash, or recent_count. */
static size_t find_recent(const struct assertion *x, const struct journal_entry *e, uint64_t hash)
{
    size_t i = 0;

    while (i < x->recent_count && (x->recent[i].request.op != e->op || x->recent[i].hash != hash))
        i++;
    return i;
}

/* A table's unprocessed keys and items are expected in the next batch of that kind on the table. */
static void take_unprocessed(struct assertion *x, const struct journal_entry *e)
{
    struct journal_account_view account;
    size_t at = 0;

    while (journal_entry_account(e, &at, &account)) {
        uint64_t hash = hash_of(x, account.name);
        size_t i = find_recent(x, e, hash);

        if (i < x->recent_count)
            forget_recent(x, i);
        if (account.account.unprocessed)
            remember_call(x, e, hash);
    }
}

static bool holds_unprocessed(const struct assertion *x)
{
    return !x->recent_count;
}

static void say_unprocessed(const struct assertion *x, struct buf *out)
{
    buf_add_text(out, "what request ");
    say_request(x, &x->recent[0].request, out);
    buf_add_text(out, " left unprocessed was not asked for again");
}

/* --- retries ---------------------------------------------------------------------------------- */

static void take_retry(struct assertion *x, const struct journal_entry *e)
{
    uint64_t hash = hash_of(x, journal_entry_body(e));
    size_t i = find_recent(x, e, hash);

    if (i < x->recent_count) {
        double waited_ms = (double)(e->began_us - x->recent[i].end_us) / 1000;

        if (waited_ms < x->number) {
            if (!x->count || waited_ms < x->total)
                x->total = waited_ms;
            count_break(x, e);
        }
        forget_recent(x, i);
    }
    if (e->error == ERROR_THROUGHPUT_EXCEEDED || e->error == ERROR_THROTTLING ||
        e->error == ERROR_REQUEST_LIMIT)
        remember_call(x, e, hash);
}

static void say_retry(const struct assertion *x, struct buf *out)
{
    buf_printf(out, ", and %.3g ms the shortest wait", x->total);
}

void assertion_kind_say(const struct assertion *x, struct buf *out)
{
    if (x->kind->what) {
        buf_printf(out, "%s in %llu request%s, the first is ", x->kind->what,
                   (unsigned long long)x->count, x->count == 1 ? "" : "s");
        say_request(x, &x->first, out);
    }
    if (x->kind->say)
        x->kind->say(x, out);
}

const struct assertion_kind assertion_kind_table[] = {
    {"no", ASSERTION_WORDS, false, false, false, take_no, NULL, "it was sent", NULL},
    {"max_read_units", ASSERTION_NUMBER, false, false, false, take_read, holds_total, NULL,
     say_total},
    {"max_write_units", ASSERTION_NUMBER, false, false, false, take_write, holds_total, NULL,
     say_total},
    {"max_read_units_each", ASSERTION_NUMBER, false, false, false, take_read_each, NULL,
     "more units were consumed", say_each},
    {"max_write_units_each", ASSERTION_NUMBER, false, false, false, take_write_each, NULL,
     "more units were consumed", say_each},
    {"max_filtered_percent", ASSERTION_PERCENT, false, false, false, take_filtered, NULL,
     "filters threw away more", say_filtered},
    {"only_indexes", ASSERTION_WORDS, false, false, false, take_indexes, NULL,
     "another index was read", NULL},
    {"only_catalogue_indexes", ASSERTION_FLAG, true, false, false, take_strange, NULL,
     "an index that no pattern uses was read", NULL},
    {"pattern", ASSERTION_WORDS, true, false, false, take_pattern, holds_pattern, NULL,
     say_pattern},
    {"no_validation_errors", ASSERTION_FLAG, false, false, false, take_validation, NULL,
     "the form was refused", NULL},
    {"no_unretried", ASSERTION_FLAG, false, false, true, take_unprocessed, holds_unprocessed, NULL,
     say_unprocessed},
    {"min_retry_ms", ASSERTION_NUMBER, false, true, true, take_retry, NULL,
     "a throttled call was sent again too soon", say_retry},
    {NULL, ASSERTION_FLAG, false, false, false, NULL, NULL, NULL, NULL},
};
