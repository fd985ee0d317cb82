#include "moving/moving_load.h"

#include "client/client_http.h"
#include "model/limits.h"
#include "moving/moving_compare.h"
#include "ops/transfer/transfer_json_fault.h"
#include "wire/wire_attr.h"

#include <stdlib.h>

#define MAX_LANES   CLIENT_HTTP_AT_ONCE
#define BATCH_BYTES ((size_t)8 << 20) /* of a request; the service's limit is 16 MB … */
#define SHORT_BATCH ((size_t)1 << 20) /* … and in this process other requests wait for it */
#define FLUSH_BYTES ((size_t)16 << 20)

/* An item that waits in a lane. */
struct load_waiting {
    uint64_t key;      /* its hash */
    size_t begin, end; /* of its JSON in the request */
    struct span text;
    bool gone;
    int64_t due_ms;          /* when the expired item's time to live ended; 0: not expired */
    struct moving_sent sent; /* if items are compared: its key and digest */
    const char *file;
    size_t line;
};

/* One request, and its items. */
struct load_lane {
    struct arena *arena;
    struct buf body;
    struct load_waiting items[LIMIT_BATCH_WRITES];
    size_t count, bytes;
};

struct moving_load {
    struct client *client;
    struct span table;
    const struct span *keys;
    size_t key_count;
    struct moving_report *report;
    struct client_pace *pace; /* NULL: no limit */
    struct span ttl;          /* the time-to-live attribute; empty: none */
    int64_t now_ms;
    struct arena *arena;      /* for requests, answers, and the keys since the last request */
    struct moving_sent *sent; /* the items of the last requests that were accepted */
    size_t sent_count;
    size_t lane_count, batch_bytes, unflushed;
    size_t waiting;        /* in all lanes */
    size_t items, deleted; /* counted since the last flush */
    struct load_lane lanes[MAX_LANES];
};

struct moving_load *moving_load_new(struct client *client, struct span table,
                                    const struct span *keys, size_t key_count,
                                    struct moving_report *report)
{
    struct moving_load *l = process_zeroed(sizeof *l);

    l->client = client;
    l->table = table;
    l->keys = keys;
    l->key_count = key_count;
    l->report = report;
    l->arena = arena_new();
    if (report->compared && key_count)
        l->sent = process_zeroed((size_t)MAX_LANES * LIMIT_BATCH_WRITES * sizeof *l->sent);
    l->lane_count = client->transport->width;
    l->batch_bytes = l->lane_count > 1 ? BATCH_BYTES : SHORT_BATCH;
    for (size_t i = 0; i < l->lane_count; i++)
        l->lanes[i].arena = arena_new();
    return l;
}

void moving_load_free(struct moving_load *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->lane_count; i++)
        arena_free(l->lanes[i].arena);
    arena_free(l->arena);
    free(l->sent);
    free(l);
}

void moving_load_set_pace(struct moving_load *l, struct client_pace *pace)
{
    l->pace = pace;
}

void moving_load_set_ttl(struct moving_load *l, struct span attribute, int64_t now_ms)
{
    l->ttl = attribute;
    l->now_ms = now_ms;
}

/* How many items may be sent together: what the pace allows in a second. */
static size_t most_at_once(const struct moving_load *l)
{
    const size_t all = MAX_LANES * (size_t)LIMIT_BATCH_WRITES;

    if (!l->pace || l->pace->rate <= 0 || l->pace->rate >= (double)all)
        return all;
    return l->pace->rate < 1 ? 1 : (size_t)l->pace->rate;
}

/* --- requests --------------------------------------------------------------------------------- */

static struct span json_of(const struct load_lane *lane, const struct load_waiting *w)
{
    return (struct span){lane->body.at + w->begin, w->end - w->begin};
}

/* --- answers ---------------------------------------------------------------------------------- */

/* An item whose time to live ended over five years ago does not expire, but would with a clock that
 * shows an earlier time. */
static void count_item(struct moving_load *l, const struct load_waiting *w)
{
    const int64_t five_years_ms = INT64_C(5) * 365 * 86400 * 1000;
    struct moving_report *r = l->report;

    r->deleted += w->gone;
    l->deleted += w->gone;
    r->items += !w->gone;
    l->items += !w->gone;
    if (l->sent)
        l->sent[l->sent_count++] = w->sent;
    if (w->gone || !w->due_ms)
        return;
    r->expired += w->due_ms > l->now_ms - five_years_ms;
    if (!r->first_due_ms || w->due_ms < r->first_due_ms)
        r->first_due_ms = w->due_ms;
}

/* Items that could not be saved do not count. */
static const char *flush(struct moving_load *l)
{
    const char *problem = client_flush(l->client);

    if (problem) {
        l->report->items -= l->items;
        l->report->deleted -= l->deleted;
    }
    l->items = l->deleted = l->unflushed = 0;
    return problem;
}

/* An error reply to text that is not JSON does not say why. */
static const char *why_refused(struct moving_load *l, struct span json,
                               const struct client_answer *answer)
{
    const wire_node *node;
    const char *fault;

    if (l->key_count || !wire_parse(l->arena, json, &node))
        return client_answer_error(l->arena, answer);
    fault = transfer_json_fault(l->arena, json, 0);
    return fault ? fault : "this is not JSON in UTF-8";
}

/* A batch is refused as a whole (also if it has a key twice), so this finds the items at fault. */
static const char *put_one_by_one(struct moving_load *l, const struct load_lane *lane)
{
    const char *problem = NULL;

    for (size_t i = 0; i < lane->count && !problem; i++) {
        const struct load_waiting *w = &lane->items[i];
        struct buf request = client_table_request_begun(l->arena, l->table);
        struct client_answer answer;

        buf_add_text(&request, w->gone ? ",\"Key\":" : ",\"Item\":");
        buf_add_span(&request, json_of(lane, w));
        buf_add_char(&request, '}');
        if ((problem = client_repeat(l->client, l->arena, w->gone ? "DeleteItem" : "PutItem",
                                     buf_span(&request), &answer)))
            break;
        if (!answer.error_type.len) {
            count_item(l, w);
            continue;
        }
        if (client_answer_is_passing(&answer))
            return client_answer_error(l->arena, &answer);
        problem = moving_report_refuse(
            l->report, l->arena,
            &(struct moving_refusal){.file = w->file,
                                     .line = w->line,
                                     .message = span_of(why_refused(l, json_of(lane, w), &answer)),
                                     .text = w->text});
    }
    return problem;
}

/* Sends items again that were unprocessed or temporarily refused. */
static const char *finish_lane(struct moving_load *l, const struct load_lane *lane,
                               struct span request, struct client_answer answer)
{
    const char *problem;
    size_t tries = 0;

    for (;;) {
        const wire_node *left = wire_get(answer.body, "UnprocessedItems");

        if (!answer.error_type.len && !wire_count(left)) {
            for (size_t i = 0; i < lane->count; i++)
                count_item(l, &lane->items[i]);
            return NULL;
        }
        if (answer.error_type.len && !client_answer_is_passing(&answer))
            return put_one_by_one(l, lane);
        if (!client_rest(l->client, tries++))
            return answer.error_type.len ? client_answer_error(l->arena, &answer)
                                         : "items are temporarily refused too many times";
        if (!answer.error_type.len)
            request = span_of(
                arena_printf(l->arena, "{\"RequestItems\":%.*s}", SPAN_ARG(wire_raw(left))));
        if ((problem = client_repeat_all(l->client, l->arena, "BatchWriteItem", &request, 1,
                                         &answer)))
            return problem;
    }
}

/* Compares the accepted items with the table's. */
static const char *compare_sent(struct moving_load *l)
{
    const struct moving_compare table = {l->client, l->table, l->keys, l->key_count};
    const size_t count = l->sent_count;

    l->sent_count = 0;
    return moving_compare_sent(l->arena, &table, l->sent, count, l->report->compared);
}

static const char *flush_if(struct moving_load *l, size_t bytes)
{
    return l->unflushed < bytes ? NULL : flush(l);
}

/* Sends all waiting items of all lanes. */
static const char *send_lanes(struct moving_load *l)
{
    struct load_lane *lanes[MAX_LANES];
    struct span requests[MAX_LANES];
    struct client_answer answers[MAX_LANES];
    const char *problem;
    size_t count = 0;

    arena_reset(l->arena);
    for (size_t i = 0; i < l->lane_count; i++)
        if (l->lanes[i].count) {
            lanes[count] = &l->lanes[i];
            buf_add_text(&lanes[count]->body, "}}]}}");
            requests[count] = buf_span(&lanes[count]->body);
            count++;
        }
    if (!count)
        return NULL;
    client_pace_wait(l->pace);
    client_pace_count(l->pace, (double)l->waiting);
    l->waiting = 0;
    problem = client_repeat_all(l->client, l->arena, "BatchWriteItem", requests, count, answers);
    for (size_t i = 0; i < count && !problem; i++)
        problem = finish_lane(l, lanes[i], requests[i], answers[i]);
    if (!problem)
        problem = compare_sent(l);
    for (size_t i = 0; i < count; i++) {
        l->unflushed += lanes[i]->bytes;
        lanes[i]->count = lanes[i]->bytes = 0;
        arena_reset(lanes[i]->arena);
    }
    return problem ? problem : flush_if(l, FLUSH_BYTES);
}

/* --- items ------------------------------------------------------------------------------------ */

/* A normal form of a key's value: 1 and 1.0, "a" and "\u0061" are equal. An invalid value is
 * refused when it is sent. */
static struct span key_bytes(struct arena *a, const wire_node *value)
{
    struct attr attr;

    if (!value)
        return (struct span){"", 0};
    if (wire_read_attr(a, value, WIRE_LAYER_CURRENT, &attr) ||
        (attr.type != ATTR_S && attr.type != ATTR_N && attr.type != ATTR_B))
        return wire_raw(value);
    return attr.bytes;
}

/* Items with the same key use the same lane, so that the last one remains. */
static uint64_t key_hash(const struct moving_load *l, const wire_node *item)
{
    static const struct siphash_key plain = {{0, 0}};
    uint64_t hash = 0;

    for (size_t i = 0; i < l->key_count; i++)
        hash = hash * 31 + siphash(&plain, key_bytes(l->arena, wire_get_span(item, l->keys[i])));
    return hash;
}

/* When the item's time to live ended; 0: it has not, or the value is not a time. */
static int64_t due_ms(const struct moving_load *l, const struct moving_item *item)
{
    struct span digits = {"", 0};
    char text[32];
    double due;

    if (l->ttl.len && !item->gone)
        digits = wire_text(wire_get(wire_get_span(item->node, l->ttl), "N"));
    if (!digits.len || digits.len >= sizeof text)
        return 0;
    memcpy(text, digits.at, digits.len);
    text[digits.len] = '\0';
    due = strtod(text, NULL) * 1000;
    return due > 0 && due <= (double)l->now_ms ? (int64_t)due : 0;
}

/* The item's key is kept in the lane's arena, as long as its request. */
static void note_sent(struct moving_load *l, struct load_lane *lane, const struct moving_item *item,
                      struct load_waiting *w)
{
    const struct moving_compare table = {l->client, l->table, l->keys, l->key_count};
    struct arena *scratch = arena_new();

    w->sent = (struct moving_sent){.key = moving_compare_key(lane->arena, &table, item->node),
                                   .gone = item->gone,
                                   .may_be_gone = w->due_ms != 0};
    /* the service refuses what is not an item */
    if (!item->gone && !moving_digest_of(scratch, item->node, &w->sent.digest))
        w->sent.digest = (struct moving_digest){.items = 1};
    arena_free(scratch);
}

const char *moving_load_put(struct moving_load *l, struct arena *a, const struct moving_item *item)
{
    struct load_waiting w = {.key = key_hash(l, item->node),
                             .gone = item->gone,
                             .due_ms = due_ms(l, item),
                             .file = item->file,
                             .line = item->line};
    struct load_lane *lane = &l->lanes[w.key % l->lane_count];
    const char *problem = NULL;
    size_t same = 0;

    while (same < lane->count && lane->items[same].key != w.key)
        same++;
    if (l->waiting == most_at_once(l) || lane->count == LIMIT_BATCH_WRITES ||
        lane->bytes + item->json.len > l->batch_bytes || (l->key_count && same < lane->count))
        problem = send_lanes(l);
    if (l->report->keeps_text)
        w.text = arena_span(lane->arena, item->text);
    if (l->sent)
        note_sent(l, lane, item, &w);
    /* Adds the item to the lane's request. */
    if (!lane->count) {
        lane->body = buf_in(lane->arena);
        buf_add_text(&lane->body, "{\"RequestItems\":{");
        buf_add_json_string(&lane->body, l->table);
    }
    buf_add_text(&lane->body, lane->count ? "}},{" : ":[{");
    buf_add_text(&lane->body, w.gone ? "\"DeleteRequest\":{\"Key\":" : "\"PutRequest\":{\"Item\":");
    w.begin = lane->body.len;
    buf_add_span(&lane->body, item->json);
    w.end = lane->body.len;
    lane->items[lane->count++] = w;
    lane->bytes += item->json.len;
    l->waiting++;
    return problem ? arena_text(a, span_of(problem)) : NULL;
}

const char *moving_load_end(struct moving_load *l, struct arena *a)
{
    const char *problem = send_lanes(l), *late = flush_if(l, 1);

    problem = problem ? problem : late;
    return problem ? arena_text(a, span_of(problem)) : NULL;
}
