#include "stream_lambda/lambda_work.h"

#include <assert.h>

static struct lambda_piece *top(struct lambda_work *w)
{
    assert(w->len);
    return &w->pieces[w->len - 1];
}

void lambda_work_begin(struct lambda_work *w, size_t count)
{
    w->pieces[0] = (struct lambda_piece){.from = 0, .to = count};
    w->len = count ? 1 : 0;
}

const struct lambda_piece *lambda_work_next(const struct lambda_work *w)
{
    return w->len ? &w->pieces[w->len - 1] : NULL;
}

void lambda_work_succeeded(struct lambda_work *w)
{
    assert(w->len);
    w->len--;
}

/* The first half comes before the second. */
static void halve(struct lambda_work *w)
{
    struct lambda_piece *second = top(w);
    struct lambda_piece first = *second;

    assert(w->len < LAMBDA_WORK_PIECES_MAX);
    first.to = first.from + (first.to - first.from + 1) / 2;
    second->from = first.to;
    w->pieces[w->len++] = first;
}

enum lambda_work_step lambda_work_failed(struct lambda_work *w,
                                         const struct lambda_work_rules *rules, size_t first,
                                         struct lambda_piece *lost)
{
    struct lambda_piece *p = top(w);
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

void lambda_work_skip(struct lambda_work *w, size_t from)
{
    struct lambda_piece *p = top(w);

    p->from = from;
    if (p->from == p->to)
        w->len--;
}
