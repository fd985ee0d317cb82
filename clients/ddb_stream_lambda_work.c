#include "ddb_stream_lambda_work.h"

#include <assert.h>

static struct piece *top(struct work *w)
{
    assert(w->len);
    return &w->pieces[w->len - 1];
}

void work_begin(struct work *w, size_t count)
{
    w->pieces[0] = (struct piece){.from = 0, .to = count};
    w->len = count ? 1 : 0;
}

const struct piece *work_next(const struct work *w)
{
    return w->len ? &w->pieces[w->len - 1] : NULL;
}

void work_succeeded(struct work *w)
{
    assert(w->len);
    w->len--;
}

/* The first half comes before the second. */
static void halve(struct work *w)
{
    struct piece *second = top(w);
    struct piece first = *second;

    assert(w->len < WORK_PIECES_MAX);
    first.to = first.from + (first.to - first.from + 1) / 2;
    second->from = first.to;
    w->pieces[w->len++] = first;
}

enum work_step work_failed(struct work *w, const struct work_rules *rules, size_t first,
                           struct piece *lost)
{
    struct piece *p = top(w);
    bool advanced = first > p->from;

    p->failures++;
    p->from = first;
    if (rules->bisect && advanced)
        return WORK_SPLIT;
    if (rules->bisect && p->to - p->from > 1) {
        halve(w);
        return WORK_SPLIT;
    }
    if (rules->max_retries < 0 || p->retries < rules->max_retries) {
        p->retries++;
        return WORK_RETRY;
    }
    *lost = *p;
    w->len--;
    return WORK_GIVEN_UP;
}

void work_skip(struct work *w, size_t from)
{
    struct piece *p = top(w);

    p->from = from;
    if (p->from == p->to)
        w->len--;
}
