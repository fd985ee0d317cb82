#include "base/progress.h"

#include "base/terminal.h"

#define PATIENCE_MS 1000 /* work that is done by then shows nothing */
#define INTERVAL_MS 100
#define WIDTH       30
#define CLEAR       "\r\033[K"

struct progress {
    struct arena *arena;
    struct clock *clock;
    FILE *terminal;
    int64_t next_ms;           /* when it is shown next */
    int64_t begin_ms, part_ms; /* when all of it began, and the part */
    struct span name;
    size_t total;
    bool is_shown;
};

struct progress *progress_new(struct arena *a, struct clock *clock, FILE *terminal)
{
    struct progress *p = arena_alloc(a, sizeof *p);

    p->arena = a;
    p->clock = clock;
    p->terminal = terminal;
    p->begin_ms = p->part_ms = clock_now_ms(clock);
    p->next_ms = p->begin_ms + PATIENCE_MS;
    return p;
}

void progress_part(struct progress *p, struct span name, size_t total)
{
    struct buf shown;

    if (!p)
        return;
    shown = buf_in(p->arena);
    terminal_add(&shown, name);
    p->name = buf_span(&shown);
    p->total = total;
    p->part_ms = clock_now_ms(p->clock);
}

static void show(struct progress *p, size_t done)
{
    static const char full[] = "##############################";
    static const char empty[] = "..............................";
    double share = p->total && done < p->total ? (double)done / (double)p->total : 1;
    int filled = (int)(share * WIDTH);

    (void)fprintf(p->terminal, CLEAR "%.*s [%.*s%.*s] %d %%", SPAN_ARG(p->name), filled, full,
                  WIDTH - filled, empty, (int)(share * 100));
    (void)fflush(p->terminal);
    p->is_shown = true;
}

/* Whether it is time to show something; not again for a while. */
static bool is_due(struct progress *p, int64_t *now_ms)
{
    if (!p || !p->terminal || (*now_ms = clock_now_ms(p->clock)) < p->next_ms)
        return false;
    p->next_ms = *now_ms + INTERVAL_MS;
    return true;
}

void progress_at(struct progress *p, size_t done)
{
    int64_t now_ms;

    if (is_due(p, &now_ms))
        show(p, done);
}

void progress_items(struct progress *p, size_t done, uint64_t items)
{
    int64_t now_ms;

    if (!is_due(p, &now_ms))
        return;
    show(p, done);
    (void)fprintf(p->terminal, "  %.1f MB  %llu items", (double)done / 1e6,
                  (unsigned long long)items);
    if (now_ms > p->begin_ms)
        (void)fprintf(p->terminal, "  %.0f/s",
                      (double)items * 1000 / (double)(now_ms - p->begin_ms));
    if (done && done < p->total)
        (void)fprintf(p->terminal, "  %.0f s left",
                      (double)(now_ms - p->part_ms) / 1000 * (double)(p->total - done) /
                          (double)done);
    (void)fflush(p->terminal);
}

void progress_end(struct progress *p)
{
    if (!p || !p->is_shown)
        return;
    (void)fputs(CLEAR, p->terminal);
    (void)fflush(p->terminal);
    p->is_shown = false;
}
