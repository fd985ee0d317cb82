#include "explain/explain_candidate.h"

#include "base/ascii.h"
#include "base/cut.h"
#include "base/date.h"
#include "explain/say.h"

#include <inttypes.h>
#include <stdlib.h>

/* How a moment is written. */
struct shape {
    bool words;    /* Thu Apr 29 2026: it can only be read */
    size_t digits; /* of a number; 0: it is a date */
    bool time;     /* the date has one */
    char between;  /* date and time: 'T' or ' ' */
    size_t decimals;
    struct span zone; /* "Z", "+02:00", or nothing */
};

static const struct unit {
    size_t digits;
    const char *name;
    int64_t in_ms, of_ms; /* a unit has in_ms / of_ms milliseconds */
} units[] = {
    {10, "seconds", 1000, 1},
    {13, "milliseconds", 1, 1},
    {16, "microseconds", 1, 1000},
};

static const struct unit *unit_of(size_t digits)
{
    for (size_t i = 0; i < COUNT(units); i++)
        if (units[i].digits == digits)
            return &units[i];
    return NULL;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* How many digits the text begins with. */
static size_t digits_at(struct span text)
{
    size_t len = 0;

    while (len < text.len && ascii_is_digit(text.at[len]))
        len++;
    return len;
}

static bool read_number(struct span text, struct shape *shape, int64_t *ms)
{
    const struct unit *unit = unit_of(text.len);
    int64_t number = 0;

    if (!unit || digits_at(text) != text.len)
        return false;
    for (size_t i = 0; i < text.len; i++)
        number = number * 10 + (text.at[i] - '0');
    *shape = (struct shape){.digits = text.len};
    *ms = number * unit->in_ms / unit->of_ms;
    return true;
}

/* "Z", "+02:00", "-0530" or nothing, up to the end. */
static bool read_zone(struct span text, int64_t *ahead_ms)
{
    int hours = 0, minutes = 0;

    *ahead_ms = 0;
    if (!text.len || span_is(text, "Z"))
        return true;
    if ((text.at[0] != '+' && text.at[0] != '-') || (text.len != 6 && text.len != 5) ||
        digits_at(span_from(text, 1)) < 2 || digits_at(span_from(text, text.len - 2)) != 2 ||
        (text.len == 6 && text.at[3] != ':'))
        return false;
    hours = (text.at[1] - '0') * 10 + (text.at[2] - '0');
    minutes = (text.at[text.len - 2] - '0') * 10 + (text.at[text.len - 1] - '0');
    *ahead_ms = (text.at[0] == '-' ? -1 : 1) * (int64_t)(hours * 60 + minutes) * 60000;
    return true;
}

#define DATE "2026-01-01"
#define TIME "T10:00:00"

/* A date, with or without a time, at the beginning; *len is how long it is without its zone. */
static bool read_date(struct inquiry *q, struct span text, struct shape *shape, int64_t *ms,
                      size_t *len)
{
    size_t day = sizeof DATE - 1, seconds = day + sizeof TIME - 1;
    struct span decimals = {"", 0};

    *shape = (struct shape){.time = false};
    *len = day;
    if (text.len < day || !date_read_extended((struct span){text.at, day}, ms))
        return false;
    if (text.len < seconds || !span_has(SPAN_LIT("T "), text.at[day]) || text.at[day + 3] != ':')
        return true;
    if (!date_read_extended(span_of(arena_printf(q->arena, "%.*sT%.*sZ", (int)day, text.at,
                                                 (int)(seconds - day - 1), text.at + day + 1)),
                            ms))
        return false;
    shape->time = true;
    shape->between = text.at[day];
    *len = seconds;
    if (text.len > seconds && text.at[seconds] == '.')
        decimals = (struct span){text.at + seconds + 1, digits_at(span_from(text, seconds + 1))};
    shape->decimals = decimals.len;
    *len += decimals.len ? decimals.len + 1 : 0;
    for (size_t i = 0, worth = 100; i < decimals.len && worth; i++, worth /= 10)
        *ms += (decimals.at[i] - '0') * (int64_t)worth;
    return true;
}

/* Where a word begins as a part of the list does, counted in threes from 1; 0: nowhere. */
static int place_among(struct inquiry *q, struct span word, const char *list)
{
    const char *at = word.len < 3 || digits_at(word)
                         ? NULL
                         : strstr(list, arena_text(q->arena,
                                                   inquiry_lower(q, (struct span){word.at, 3})));

    return at && (at - list) % 3 == 0 ? (int)(at - list) / 3 + 1 : 0;
}

/* Thu Apr 29 2026 10:00:00 GMT+0200 (CEST); Thu, 29 Apr 2026 10:00:00 GMT; April 29, 2026 */
static bool read_words(struct inquiry *q, struct span text, struct shape *shape, int64_t *ms)
{
    struct span time = SPAN_LIT("00:00:00"), word;
    int numbers[5] = {0}, month = 0, place; /* by the length of their text: day and year */
    int64_t ahead = 0;

    *shape = (struct shape){.words = true};
    while (text.len) {
        word = cut_part(&text, ' ');
        word.len -= word.len && word.at[word.len - 1] == ',';
        if ((place = place_among(q, word, "janfebmaraprmayjunjulaugsepoctnovdec")))
            month = place;
        else if (word.len && word.len <= 4 && digits_at(word) == word.len)
            numbers[word.len == 4 ? 4 : 2] = (int)strtol(arena_text(q->arena, word), NULL, 10);
        else if (word.len == time.len && word.at[2] == ':' && (shape->time = true))
            time = word;
        else if (!place_among(q, word, "sunmontuewedthufrisat") && word.len && *word.at != '(' &&
                 !(span_starts_with(word, SPAN_LIT("GMT")) &&
                   read_zone(span_from(word, 3), &ahead)))
            return false;
    }
    if (!month ||
        !date_read_extended(span_of(arena_printf(q->arena, "%04d-%02d-%02dT%.*sZ", numbers[4],
                                                 month, numbers[2], SPAN_ARG(time))),
                            ms))
        return false;
    *ms -= ahead;
    return true;
}

static bool read_moment(struct inquiry *q, const struct attr *value, struct shape *shape,
                        int64_t *ms)
{
    int64_t ahead;
    size_t len;

    if (value->type > ATTR_N)
        return false;
    if (read_number(value->bytes, shape, ms) ||
        (value->type == ATTR_S && read_words(q, value->bytes, shape, ms)))
        return true;
    if (value->type != ATTR_S || !read_date(q, value->bytes, shape, ms, &len))
        return false;
    shape->zone = span_from(value->bytes, len);
    if ((shape->zone.len && !shape->time) || !read_zone(shape->zone, &ahead))
        return false;
    *ms -= ahead;
    return true;
}

/* --- writing ---------------------------------------------------------------------------------- */

static struct span write_moment(struct inquiry *q, int64_t ms, const struct shape *shape)
{
    const struct unit *unit = unit_of(shape->digits);
    int64_t ahead = 0;
    struct buf out = buf_in(q->arena);
    struct span date;

    if (unit)
        return span_of(arena_printf(q->arena, "%" PRId64, ms * unit->of_ms / unit->in_ms));
    (void)read_zone(shape->zone, &ahead);
    date = span_of(date_extended(q->arena, ms + ahead));
    buf_add(&out, date.at, sizeof DATE - 1);
    if (shape->time) {
        buf_add_char(&out, shape->between);
        buf_add(&out, date.at + sizeof DATE, sizeof TIME - 2);
        if (shape->decimals)
            buf_add(&out, arena_printf(q->arena, ".%03d000000", (int)(ms % 1000)),
                    1 + (shape->decimals < 9 ? shape->decimals : 9));
        buf_add_span(&out, shape->zone);
    }
    return buf_span(&out);
}

static const char *form_words(struct inquiry *q, const struct unit *unit)
{
    return unit ? say_text(q, "% since 1970", unit->name) : "a date";
}

/* --- what is a moment ------------------------------------------------------------------------- */

bool explain_moment_named(struct inquiry *q, struct span name)
{
    static const char words[] =
        " at ts time timestamp date datetime epoch ttl expires expiry expire expiration expired "
        "created when since until updated changed modified deleted seconds millis ms ";
    struct span lower = inquiry_lower(q, name), word;
    size_t from = 0;

    for (size_t i = 1; i <= name.len; i++) {
        bool ends = i == name.len || !ascii_is_letter(name.at[i]) ||
                    (lower.at[i] != name.at[i] && lower.at[i - 1] == name.at[i - 1]);

        if (!ends)
            continue;
        word = (struct span){lower.at + from, i - from};
        if (word.len && strstr(words, say_text(q, " % ", word)))
            return true;
        from = i + (i < name.len && !ascii_is_letter(name.at[i]));
    }
    return false;
}

#define YEAR_MS  ((int64_t)31556952 * 1000)
#define FIRST_MS (31 * YEAR_MS)  /* 2001: the first seconds of ten digits */
#define LAST_MS  (130 * YEAR_MS) /* 2100 */
#define NEAR_MS  (10 * YEAR_MS)

const char *explain_moment_mend(struct inquiry *q, bool named, const struct attr *asked,
                                const struct attr *there, struct attr *out)
{
    const struct unit *unit, *other;
    struct shape from, to;
    int64_t ms, their_ms;

    if (!read_moment(q, asked, &from, &ms) || !read_moment(q, there, &to, &their_ms) || ms < 0 ||
        to.words)
        return NULL;
    if (!from.digits && !to.digits && from.time != to.time)
        return NULL; /* a day, as the beginning of one of its moments */
    *out = (struct attr){.type = there->type, .bytes = write_moment(q, ms, &to)};
    if (span_equal(out->bytes, asked->bytes))
        return NULL;
    unit = unit_of(from.digits);
    other = unit_of(to.digits);
    /* Numbers of articles and of telephones are not of this century, or not near each other. */
    if (unit && other && !named &&
        (ms < FIRST_MS || their_ms < FIRST_MS || ms >= LAST_MS || their_ms >= LAST_MS ||
         llabs(ms - their_ms) >= NEAR_MS))
        return NULL;
    if (unit && other)
        return say_text(q, "% looks like % (% digits), the items have % (% digits)", asked,
                        unit->name, from.digits, other->name, to.digits);
    if (unit || other)
        return say_text(q, "% looks like %, the items have % such as %", asked, form_words(q, unit),
                        form_words(q, other), there);
    return say_text(q, "the items write moments as %", there);
}

/* --- within a text ---------------------------------------------------------------------------- */

/* The first moment with a time; *from and *to are its place. */
static bool find_moment(struct inquiry *q, struct span text, struct shape *shape, int64_t *ms,
                        size_t *from, size_t *to)
{
    for (size_t i = 0; i + sizeof DATE TIME - 2 <= text.len; i++) {
        struct span rest = span_from(text, i);
        size_t len, zone = 0;
        int64_t ahead = 0;

        if ((i && ascii_is_digit(text.at[i - 1])) || !read_date(q, rest, shape, ms, &len) ||
            !shape->time)
            continue;
        for (size_t n = 6; n && !zone; n--) /* the longest zone that follows it */
            if (len + n <= rest.len && read_zone((struct span){rest.at + len, n}, &ahead))
                zone = n;
        *ms -= ahead;
        *from = i;
        *to = i + len + zone;
        return true;
    }
    return false;
}

size_t explain_moment_forms(struct inquiry *q, struct span asked,
                            struct span out[EXPLAIN_MOMENT_FORMS])
{
    static const struct shape shapes[EXPLAIN_MOMENT_FORMS] = {
        {.time = true, .between = 'T', .decimals = 3, .zone = SPAN_LIT_INIT("Z")},
        {.time = true, .between = 'T', .zone = SPAN_LIT_INIT("Z")},
        {.time = true, .between = 'T'},
        {.time = true, .between = ' '},
        {.time = true, .between = 'T', .decimals = 6, .zone = SPAN_LIT_INIT("Z")},
        {.time = true, .between = 'T', .zone = SPAN_LIT_INIT("+00:00")},
    };
    struct shape shape;
    size_t from, to;
    int64_t ms;

    if (!find_moment(q, asked, &shape, &ms, &from, &to))
        return 0;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        struct buf text = buf_in(q->arena);

        buf_add(&text, asked.at, from);
        buf_add_span(&text, write_moment(q, ms, &shapes[i]));
        buf_add_span(&text, span_from(asked, to));
        out[i] = buf_span(&text);
    }
    return COUNT(shapes);
}
