#include "journal/journal.h"

#include "journal/coverage.h"

#include <stdlib.h>

#define MAX_BODY   ((size_t)16 * 1024) /* a longer body is kept without … */
#define MAX_MEMBER ((size_t)2048)      /* … members that are longer than this */
#define MAX_KEPT   (4 * MAX_BODY)      /* … and cut after this many bytes */

struct journal {
    struct observer observer;
    struct journal_options options;
    struct coverage *coverage; /* NULL: there is no catalogue */
    struct arena *scratch;
    struct journal_entry **ring; /* each at its id modulo the size, a power of two */
    size_t room, count, bytes;
    uint64_t last_id, dropped;
};

/* --- accounts --------------------------------------------------------------------------------- */

static uint32_t small_size(size_t count)
{
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static void add_keys(struct buf *out, const struct key_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct journal_name name = {(uint16_t)parts[i].name.len};

        buf_add(out, &name, sizeof name);
        buf_add_span(out, parts[i].name);
    }
}

static void add_account(struct buf *out, const struct capacity *used)
{
    const struct table *t = used->table;
    struct journal_account account = {
        .table_units = used->table_units,
        .items_read = small_size(used->items_read),
        .items_returned = small_size(used->items_returned),
        .pages = small_size(used->pages),
        .unprocessed = small_size(used->unprocessed),
        .name_len = (uint16_t)t->name.len,
        .writes = used->writes,
        .key_count = (uint8_t)schema_key_count(&t->keys),
    };

    for (size_t i = 0; i < t->index_count; i++)
        account.index_count += used->indexes[i].used;
    buf_add(out, &account, sizeof account);
    buf_add_span(out, t->name);
    add_keys(out, t->keys.hash, t->keys.hash_count);
    add_keys(out, t->keys.range, t->keys.range_count);
    for (size_t i = 0; i < t->index_count; i++)
        if (used->indexes[i].used) {
            const struct index *ix = &t->indexes[i];
            struct journal_index index = {.units = used->indexes[i].units,
                                          .name_len = (uint16_t)ix->name.len,
                                          .key_count = (uint8_t)ix->keys.hash_count};

            buf_add(out, &index, sizeof index);
            buf_add_span(out, ix->name);
            add_keys(out, ix->keys.hash, ix->keys.hash_count);
        }
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* A long body without its long members; of a put's item, its key. A request that was refused before
 * its members were checked keeps no body: taking it apart would cost more than refusing it. */
static struct span shortened_body(struct arena *a, const struct call_record *record)
{
    struct buf out = buf_in(a);
    struct wire_writer w = {.out = &out};

    if (!record->body || !record->op ||
        (record->error && error_is_at_the_door(record->error->kind)))
        return SPAN_LIT("{}");
    wire_open(&w, '{');
    for (const wire_node *m = wire_first(record->body); m && out.len < MAX_KEPT; m = wire_next(m)) {
        bool item = span_is(wire_name(m), "Item") && record->accounts;

        if (!item && wire_raw(m).len > MAX_MEMBER)
            continue;
        wire_key_span(&w, wire_name(m));
        if (item) {
            const struct key_schema *keys = &record->accounts->table->keys;
            const struct key_part *part;

            wire_open(&w, '{');
            for (size_t i = 0; (part = schema_key_part(keys, i)); i++) {
                const wire_node *value = wire_get_span(m, part->name);

                if (!value)
                    continue;
                wire_key_span(&w, part->name);
                wire_put_raw(&w, wire_raw(value));
            }
            wire_close(&w, '}');
        } else
            wire_put_raw(&w, wire_raw(m));
    }
    wire_close(&w, '}');
    return buf_span(&out);
}

/* --- writing ---------------------------------------------------------------------------------- */

static struct journal_entry **place_of(const struct journal *j, uint64_t id)
{
    return &j->ring[id & (j->room - 1)];
}

static void remove_first(struct journal *j)
{
    struct journal_entry **at = place_of(j, journal_first(j));

    j->count--;
    j->bytes -= journal_entry_size(*at);
    free(*at);
    *at = NULL;
}

static struct journal_entry *entry_of(struct journal *j, const struct call_record *record,
                                      struct span body, struct span accounts)
{
    struct span message = record->error ? record->error->message : (struct span){"", 0};
    struct journal_entry *e = process_malloc(sizeof *e + body.len + message.len + accounts.len +
                                             record->client.len);

    *e = (struct journal_entry){
        .id = ++j->last_id,
        .began_ms = record->began_ms,
        .began_us = record->began_us,
        .took_us = record->took_us,
        .op = record->op,
        .status = record->status,
        .error = record->error ? record->error->kind : ERROR_NONE,
        .rule = record->disturbance ? record->disturbance->rule : 0,
        .delay_ms = record->disturbance ? record->disturbance->delay_ms : 0,
        .cut = body.at != record->text.at,
        .body_len = (uint32_t)body.len,
        .message_len = (uint32_t)message.len,
        .accounts_len = (uint32_t)accounts.len,
        .client_len = (uint32_t)record->client.len,
    };
    if (body.len)
        memcpy(e->bytes, body.at, body.len);
    if (message.len)
        memcpy(e->bytes + body.len, message.at, message.len);
    if (accounts.len)
        memcpy(e->bytes + body.len + message.len, accounts.at, accounts.len);
    if (record->client.len)
        memcpy(e->bytes + body.len + message.len + accounts.len, record->client.at,
               record->client.len);
    for (const struct capacity *used = record->accounts; used; used = used->next) {
        *(used->writes ? &e->write_units : &e->read_units) += capacity_total(used);
        e->items_read += used->items_read;
        e->items_returned += used->items_returned;
        e->pages += used->pages;
        e->unprocessed += used->unprocessed;
        e->account_count++;
    }
    return e;
}

/* Finds the pattern that the request matches. */
static void match_pattern(struct journal *j, const struct call_record *record,
                          struct journal_entry *e)
{
    const struct catalogue *c = j->options.catalogue;
    struct catalogue_match m;

    catalogue_match(c, j->scratch, record, &m);
    for (size_t i = 0; i < m.count; i++)
        e->steps[i] = (uint16_t)(catalogue_index_of(c, m.steps[i]) + 1);
    if (m.answer)
        e->answer = (uint16_t)(catalogue_index_of(c, m.answer) + 1);
    e->strange_index = m.strange_index;
    if (!m.shape.at)
        return;
    coverage_take(j->coverage, e, m.shape, m.hash);
    if (j->options.total)
        coverage_take(j->options.total, e, m.shape, m.hash);
}

static void record_call(struct observer *self, const struct call_record *record)
{
    struct journal *j = (struct journal *)self;
    struct buf accounts = buf_in(j->scratch);
    struct span body = record->text;
    struct journal_entry *e;

    for (const struct capacity *used = record->accounts; used; used = used->next)
        add_account(&accounts, used);
    if (body.len > MAX_BODY)
        body = shortened_body(j->scratch, record);
    e = entry_of(j, record, body, buf_span(&accounts));
    if (j->coverage)
        match_pattern(j, record, e);
    arena_reset(j->scratch);
    if (record->text.len > MAX_BODY)
        arena_trim(j->scratch);
    if (j->options.reader)
        j->options.reader->read(j->options.reader, j->options.world, e);
    if (j->count == j->room) {
        struct journal old = *j;

        j->room = old.room ? 2 * old.room : 64;
        j->ring = process_zeroed(j->room * sizeof *j->ring);
        for (uint64_t id = old.last_id - old.count; id < old.last_id; id++)
            *place_of(j, id) = *place_of(&old, id);
        free(old.ring);
    }
    *place_of(j, e->id) = e;
    j->count++;
    j->bytes += journal_entry_size(e);
    while (j->count > j->options.count || (j->bytes > j->options.bytes && j->count > 1)) {
        remove_first(j);
        j->dropped++;
    }
}

/* --- the journal ------------------------------------------------------------------------------ */

struct journal *journal_new(const struct journal_options *options)
{
    struct journal *j = process_zeroed(sizeof *j);

    j->observer.finished = record_call;
    j->options = *options;
    j->scratch = arena_new();
    if (options->catalogue)
        j->coverage = coverage_new(options->catalogue);
    return j;
}

void journal_free(struct journal *j)
{
    if (!j)
        return;
    journal_clear(j);
    free(j->ring);
    coverage_free(j->coverage);
    arena_free(j->scratch);
    free(j);
}

struct observer *journal_observer(struct journal *j)
{
    return j->options.count || j->options.reader || j->coverage ? &j->observer : NULL;
}

void journal_clear(struct journal *j)
{
    while (j->count)
        remove_first(j);
    j->dropped = 0;
    if (j->coverage)
        coverage_clear(j->coverage);
}

uint64_t journal_dropped(const struct journal *j)
{
    return j->dropped;
}

uint64_t journal_first(const struct journal *j)
{
    return j->last_id - j->count + 1;
}

uint64_t journal_last(const struct journal *j)
{
    return j->last_id;
}

const struct journal_entry *journal_find(const struct journal *j, uint64_t id)
{
    return id >= journal_first(j) && id <= j->last_id ? *place_of(j, id) : NULL;
}

const struct journal_options *journal_options_of(const struct journal *j)
{
    return &j->options;
}

const struct coverage *journal_coverage(const struct journal *j)
{
    return j->coverage;
}
