#include "stream_lambda/lambda_queue.h"

#include "stream_lambda/lambda_event.h"

struct lambda_page {
    struct arena *arena; /* this struct is allocated in it, too */
    size_t records;      /* records that are still queued */
    bool closed;
};

struct lambda_page *lambda_queue_page(void)
{
    struct arena *a = arena_new();
    struct lambda_page *p = arena_alloc(a, sizeof *p);

    p->arena = a;
    return p;
}

struct arena *lambda_queue_page_arena(struct lambda_page *p)
{
    return p->arena;
}

static void free_if_unused(struct lambda_page *p)
{
    if (p->closed && !p->records)
        arena_free(p->arena);
}

void lambda_queue_page_close(struct lambda_page *p)
{
    p->closed = true;
    free_if_unused(p);
}

void lambda_queue_add(struct lambda_queue *q, struct lambda_page *p,
                      const struct lambda_record *record, int64_t now_ms)
{
    struct lambda_record *copy = arena_alloc(p->arena, sizeof *copy);

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

void lambda_queue_drop(struct lambda_queue *q, size_t count, int64_t now_ms)
{
    while (count--) {
        struct lambda_record *first = q->first;

        q->first = first->next;
        q->len--;
        first->page->records--;
        free_if_unused(first->page);
    }
    q->since_ms = now_ms;
}

size_t lambda_queue_batch(const struct lambda_queue *q, const struct lambda_batch_rules *rules,
                          int64_t now_ms, bool at_end)
{
    size_t count = 0, bytes = LAMBDA_EVENT_AROUND;

    for (const struct lambda_record *record = q->first; record && count < rules->size;
         record = record->next) {
        bytes += record->event.len + 1;
        if (count && bytes > LAMBDA_BATCH_BYTES_MAX)
            return count;
        count++;
    }
    if (count == rules->size || at_end || now_ms - q->since_ms >= rules->window_ms)
        return count;
    return 0;
}
