#include "base/progress.h"

#include "base/terminal.h"
#include "base/utf8.h"

#include <sys/ioctl.h>

#define PATIENCE_MS 1000 /* shorter work shows no bar */
#define INTERVAL_MS 100
#define BAR         30 /* longest bar … */
#define SHORT_BAR   5  /* … and shortest; if there is less room, no bar is shown */
#define SHORT_NAME  9
#define COLUMNS     80 /* if the terminal does not say */
#define CLEAR       "\r\033[K"

struct progress {
    struct arena *arena;
    struct clock *clock;
    FILE *terminal;
    int64_t next_ms;           /* when it is shown next */
    int64_t begin_ms, part_ms; /* when all of the work began, and this part */
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

/* The last column stays free: some terminals wrap to the next line after it. */
static size_t columns_of(FILE *terminal)
{
    struct winsize size;

    if (ioctl(fileno(terminal), TIOCGWINSZ, &size) || !size.ws_col)
        return COLUMNS - 1;
    return size.ws_col - 1U;
}

/* Adds a figure if there is still room for it and a short name. */
static void add_figure(struct buf *figures, size_t columns, const char *text)
{
    if (figures->len + strlen(text) + SHORT_NAME <= columns)
        buf_add_text(figures, text);
}

/* Adds the name, with its middle left out if it is too long. */
static void add_name(struct buf *line, struct span name, size_t room)
{
    size_t half;

    if (utf8_columns(name) <= room) {
        buf_add_span(line, name);
        return;
    }
    if (room < 3)
        return;
    half = (room - 1) / 2;
    buf_add_span(line, utf8_first_columns(name, room - 1 - half));
    buf_add_text(line, "…");
    buf_add_span(line, utf8_last_columns(name, half));
}

/* Shows one line, however narrow the terminal is: first the bar becomes shorter, then the name. */
static void show_line(struct progress *p, double share, const struct buf *figures, size_t columns)
{
    size_t room = columns > figures->len ? columns - figures->len : 0;
    size_t name = utf8_columns(p->name), bar = room > name + 3 ? room - name - 3 : 0;
    struct buf line = buf_in(figures->arena);

    bar = bar > BAR ? BAR : bar;
    if (bar < SHORT_BAR)
        bar = room >= SHORT_BAR + 3 + SHORT_NAME ? SHORT_BAR : 0;
    add_name(&line, p->name, bar ? room - bar - 3 : room);
    if (bar) {
        size_t filled = (size_t)(share * (double)bar);

        buf_add_text(&line, " [");
        for (size_t i = 0; i < bar; i++)
            buf_add_char(&line, i < filled ? '#' : '.');
        buf_add_char(&line, ']');
    }
    buf_add_span(&line, buf_span(figures));
    (void)fprintf(p->terminal, CLEAR "%.*s", (int)line.len, line.at);
    (void)fflush(p->terminal);
    p->is_shown = true;
}

static double share_of(const struct progress *p, size_t done)
{
    return p->total && done < p->total ? (double)done / (double)p->total : 1;
}

/* Whether it is time to update the line; if so, sets the time of the next update. */
static bool is_due(struct progress *p, int64_t *now_ms)
{
    if (!p || !p->terminal || (*now_ms = clock_now_ms(p->clock)) < p->next_ms)
        return false;
    p->next_ms = *now_ms + INTERVAL_MS;
    return true;
}

void progress_at(struct progress *p, size_t done)
{
    struct arena_mark mark;
    struct buf figures;
    int64_t now_ms;

    if (!is_due(p, &now_ms))
        return;
    mark = arena_mark(p->arena);
    figures = buf_in(p->arena);
    buf_printf(&figures, " %d %%", (int)(share_of(p, done) * 100));
    show_line(p, share_of(p, done), &figures, columns_of(p->terminal));
    arena_release(p->arena, mark);
}

void progress_items(struct progress *p, size_t done, uint64_t items)
{
    struct arena *a;
    struct arena_mark mark;
    struct buf figures;
    size_t columns;
    int64_t now_ms;

    if (!is_due(p, &now_ms))
        return;
    a = p->arena;
    mark = arena_mark(a);
    figures = buf_in(a);
    columns = columns_of(p->terminal);
    buf_printf(&figures, " %d %%", (int)(share_of(p, done) * 100));
    add_figure(&figures, columns, arena_printf(a, "  %.1f MB", (double)done / 1e6));
    add_figure(&figures, columns, arena_printf(a, "  %llu items", (unsigned long long)items));
    if (now_ms > p->begin_ms)
        add_figure(
            &figures, columns,
            arena_printf(a, "  %.0f/s", (double)items * 1000 / (double)(now_ms - p->begin_ms)));
    if (done && done < p->total)
        add_figure(&figures, columns,
                   arena_printf(a, "  %.0f s left",
                                (double)(now_ms - p->part_ms) / 1000 * (double)(p->total - done) /
                                    (double)done));
    show_line(p, share_of(p, done), &figures, columns);
    arena_release(a, mark);
}

void progress_end(struct progress *p)
{
    if (!p || !p->is_shown)
        return;
    (void)fputs(CLEAR, p->terminal);
    (void)fflush(p->terminal);
    p->is_shown = false;
}
