#include "ddb_stream_lambda_queue.h"

#include "ddb_stream_lambda_event.h"

struct page {
    struct arena *arena; /* this struct is in it, too */
    size_t records;      /* that are still queued */
    bool closed;
};

struct page *page_new(void)
{
    struct arena *a = arena_new();
    struct page *p = arena_alloc(a, sizeof *p);

    p->arena = a;
    return p;
}

struct arena *page_arena(struct page *p)
{
    return p->arena;
}

static void free_if_unused(struct page *p)
{
    if (p->closed && !p->records)
        arena_free(p->arena);
}

void page_close(struct page *p)
{
    p->closed = true;
    free_if_unused(p);
}

void queue_add(struct queue *q, struct page *p, const struct record *record, int64_t now_ms)
{
    struct record *copy = arena_alloc(p->arena, sizeof *copy);

    *copy = *record;
    copy->next = NULL;
    copy->page = p;
    p->records++;
    if (q->len++) {
        q->last->next = copy;
    } else {
        q->first = copy;
        q->since_ms = now_ms;
    }
    q->last = copy;
}

void queue_drop(struct queue *q, size_t count, int64_t now_ms)
{
    while (count--) {
        struct record *first = q->first;

        q->first = first->next;
        q->len--;
        first->page->records--;
        free_if_unused(first->page);
    }
    q->since_ms = now_ms;
}

size_t queue_batch(const struct queue *q, const struct batch_rules *rules, int64_t now_ms,
                   bool at_end)
{
    const struct record *record;
    size_t count = 0, bytes = EVENT_AROUND;

    for (record = q->first; record && count < rules->size; record = record->next) {
        bytes += record->event.len + 1;
        if (count && bytes > BATCH_BYTES_MAX)
            return count;
        count++;
    }
    if (count == rules->size || at_end || now_ms - q->since_ms >= rules->window_ms)
        return count;
    return 0;
}
