#include "moving/moving_compare.h"

#include "model/limits.h"
#include "wire/wire_print.h"

struct span moving_compare_key(struct arena *a, const struct moving_compare *c,
                               const wire_node *item)
{
    struct buf out = buf_in(a);

    for (size_t i = 0; i < c->key_count; i++) {
        const wire_node *value = wire_get_span(item, c->keys[i]);

        buf_add_char(&out, i ? ',' : '{');
        buf_add_json_string(&out, c->keys[i]);
        buf_add_char(&out, ':');
        if (value)
            wire_print_json(&out, value);
        else
            buf_add_text(&out, "null");
    }
    buf_add_char(&out, '}');
    return buf_span(&out);
}

static struct span keys_request(struct arena *a, const struct moving_compare *c,
                                const struct moving_sent *sent, size_t count)
{
    struct buf out = buf_in(a);

    buf_add_text(&out, "{\"RequestItems\":{");
    buf_add_json_string(&out, c->table);
    buf_add_text(&out, ":{\"ConsistentRead\":true,\"Keys\":[");
    for (size_t i = 0; i < count; i++) {
        if (i)
            buf_add_char(&out, ',');
        buf_add_span(&out, sent[i].key);
    }
    buf_add_text(&out, "]}}}");
    return buf_span(&out);
}

/* Marks the sent items that were read. */
static const char *find_items(struct arena *a, const struct moving_compare *c,
                              const wire_node *items, struct moving_sent *sent, size_t count,
                              struct moving_digest *sum)
{
    struct arena *scratch = arena_new();
    const char *problem = NULL;

    for (const wire_node *n = wire_first(items); n && !problem; n = wire_next(n)) {
        struct moving_digest digest;
        bool is_item;
        size_t i = 0;

        arena_reset(scratch);
        is_item = moving_digest_of(scratch, n, &digest);
        while (is_item && i < count &&
               (sent[i].gone || sent[i].is_found || !moving_digest_equal(&sent[i].digest, &digest)))
            i++;
        if (!is_item || i == count) {
            const struct span key = moving_compare_key(a, c, n);

            problem = arena_printf(a,
                                   "%.*s: the item with the key %.*s is not in %s as it was sent",
                                   SPAN_ARG(c->table), SPAN_ARG(key), c->client->name);
            break;
        }
        sent[i].is_found = true;
        moving_digest_add(sum, &digest);
    }
    arena_free(scratch);
    return problem;
}

/* Compares what one request reads. */
static const char *compare_batch(struct arena *a, const struct moving_compare *c,
                                 struct moving_sent *sent, size_t count, struct moving_digest *sum)
{
    struct span request = keys_request(a, c, sent, count);
    const wire_node *left;
    size_t idle = 0;

    for (;;) {
        const wire_node *items;
        struct client_answer answer;
        const char *problem;

        if ((problem = client_succeed(c->client, a, "BatchGetItem", request, &answer)))
            return arena_printf(a, "%.*s: its items were not read back to compare them: %s",
                                SPAN_ARG(c->table), problem);
        items = wire_first(wire_get(answer.body, "Responses"));
        if ((problem = find_items(a, c, items, sent, count, sum)))
            return problem;
        left = wire_get(answer.body, "UnprocessedKeys");
        idle = wire_count(items) ? 0 : idle + 1;
        if (!wire_count(left))
            break;
        if (idle && !client_rest(c->client, idle - 1))
            return arena_printf(a,
                                "%.*s: its items were not read back to compare them: "
                                "BatchGetItem leaves keys unprocessed again and again",
                                SPAN_ARG(c->table));
        request = span_of(arena_printf(a, "{\"RequestItems\":%.*s}", SPAN_ARG(wire_raw(left))));
    }
    for (size_t i = 0; i < count; i++)
        if (!sent[i].gone && !sent[i].is_found && !sent[i].may_be_gone)
            return arena_printf(a, "%.*s: the item with the key %.*s was sent and is not in %s",
                                SPAN_ARG(c->table), SPAN_ARG(sent[i].key), c->client->name);
    return NULL;
}

const char *moving_compare_sent(struct arena *a, const struct moving_compare *c,
                                struct moving_sent *sent, size_t count, struct moving_digest *sum)
{
    const char *problem = NULL;

    for (size_t from = 0; from < count && !problem; from += LIMIT_BATCH_KEYS) {
        const size_t most = count - from;

        problem = compare_batch(a, c, sent + from,
                                most < LIMIT_BATCH_KEYS ? most : LIMIT_BATCH_KEYS, sum);
    }
    return problem;
}
