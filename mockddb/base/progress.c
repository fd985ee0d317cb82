#include "base/progress.h"

#define PATIENCE_MS 1000 /* work that is done by then shows nothing */
#define INTERVAL_MS 100
#define WIDTH       30
#define CLEAR       "\r\033[K"

struct progress {
    struct clock *clock;
    FILE *terminal;
    int64_t next_ms; /* when it is shown next */
    struct span name;
    size_t total;
    bool is_shown;
};

struct progress *progress_new(struct arena *a, struct clock *clock, FILE *terminal)
{
    struct progress *p = arena_alloc(a, sizeof *p);

    *p = (struct progress){
        .clock = clock, .terminal = terminal, .next_ms = clock_now_ms(clock) + PATIENCE_MS};
    return p;
}

void progress_part(struct progress *p, struct span name, size_t total)
{
    if (!p)
        return;
    p->name = name;
    p->total = total;
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

void progress_at(struct progress *p, size_t done)
{
    int64_t now_ms;

    if (!p || !p->terminal || (now_ms = clock_now_ms(p->clock)) < p->next_ms)
        return;
    p->next_ms = now_ms + INTERVAL_MS;
    show(p, done);
}

void progress_end(struct progress *p)
{
    if (!p || !p->is_shown)
        return;
    (void)fputs(CLEAR, p->terminal);
    (void)fflush(p->terminal);
    p->is_shown = false;
}
