#include "awscli/awscli_moment.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/ascii.h"
#include "base/date.h"
#include "base/one_more.h"
#include "wire/json.h"

#define DAY         86400
#define MOST_DIGITS 18 /* of a number, so that it fits */
#define UNSET       INT64_MIN
#define MONDAY      ((INT64_C(7000000) - 4) * DAY) /* before 1970: a Monday before the year 1 */

/* The numbers of a date in their order: at most three are used. */
struct numbers {
    int64_t at[3];
    size_t len;
    int year, month; /* the indexes of the known ones, or -1 */
    bool full_year;  /* the year is not abbreviated */
};

struct cli_moment {
    struct arena *arena;
    struct span *tokens;
    size_t count;
    struct numbers date;
    int64_t hour, minute, second, weekday; /* UNSET: not in the text */
    int64_t offset;                        /* of the zone, in seconds */
    struct span zone;                      /* its name; at NULL: none */
};

/* --- words ------------------------------------------------------------------------------------ */

/* Each row is the words for one value, its index. */
static const char *const weekdays[] = {
    "mon monday", "tue tuesday",  "wed wednesday", "thu thursday",
    "fri friday", "sat saturday", "sun sunday",    NULL,
};

static const char *const months[] = {
    "",
    "jan january",
    "feb february",
    "mar march",
    "apr april",
    "may",
    "jun june",
    "jul july",
    "aug august",
    "sep sept september",
    "oct october",
    "nov november",
    "dec december",
    NULL,
};

enum unit { HOURS, MINUTES, SECONDS };

static const char *const units[] = {"h hour hours", "m minute minutes", "s second seconds", NULL};
static const char *const halves[] = {"am a", "pm p", NULL};

/* Words that are ignored, and " .,;-/'". */
static const char *const jumps[] = {"at on and ad m t of st nd rd th", NULL};

static bool has_word(const char *row, struct span text)
{
    for (; *row; row += row[strspn(row, " ")] ? strspn(row, " ") : strlen(row)) {
        size_t len = strcspn(row, " "), i = 0;

        while (i < len && i < text.len && ascii_lower(text.at[i]) == row[i])
            i++;
        if (i == len && i == text.len)
            return true;
        row += len;
    }
    return false;
}

/* The value of the token among the words, or -1. */
static int value_of(const struct cli_moment *m, size_t token, const char *const *rows)
{
    for (int i = 0; token < m->count && rows[i]; i++)
        if (has_word(rows[i], m->tokens[token]))
            return i;
    return -1;
}

static bool is_jump(const struct cli_moment *m, size_t token)
{
    struct span text = token < m->count ? m->tokens[token] : (struct span){"", 0};

    return (text.len == 1 && ascii_is_one_of(text.at[0], " .,;-/'")) ||
           value_of(m, token, jumps) >= 0;
}

static bool token_is(const struct cli_moment *m, size_t token, const char *text)
{
    return token < m->count && span_is(m->tokens[token], text);
}

/* --- tokens ----------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return ascii_is_letter(c) || (unsigned char)c >= 0x80;
}

static void add_token(struct cli_moment *m, const char *at, size_t len)
{
    m->tokens = one_more(m->arena, m->tokens, m->count, sizeof *m->tokens);
    m->tokens[m->count++] = (struct span){at, len};
}

/* "Jan.2020" as three tokens: dots and commas are tokens of their own. */
static void split_token(struct cli_moment *m, struct span text)
{
    size_t from = 0;

    for (size_t i = 0; i <= text.len; i++) {
        if (i < text.len && text.at[i] != '.' && text.at[i] != ',')
            continue;
        if (i > from)
            add_token(m, text.at + from, i - from);
        if (i < text.len)
            add_token(m, text.at + i, 1);
        from = i + 1;
    }
}

/* Takes letters or digits with dots between them: a dot after letters may be followed by digits,
 * and vice versa. Returns the end. */
static size_t read_token(struct cli_moment *m, struct span text, size_t start)
{
    bool digits = ascii_is_digit(text.at[start]), letters = false, dotted = false;
    size_t i = start + 1, dots = 0;
    struct buf number = buf_in(m->arena);
    struct span token;

    for (; i < text.len; i++) {
        char c = text.at[i], before = text.at[i - 1];
        bool fits = digits ? ascii_is_digit(c) : is_letter(c);
        bool turns = dotted && before == '.' && (digits ? is_letter(c) : ascii_is_digit(c));

        if (turns)
            digits = !digits;
        else if (c == '.' || (c == ',' && digits && !dotted && i - start >= 2))
            dotted = true;
        else if (!fits)
            break;
        letters = letters || !digits;
        dots += c == '.';
    }
    token = (struct span){text.at + start, i - start};
    letters = letters || !digits;
    if (dotted && (letters || dots > 1 || ascii_is_one_of(text.at[i - 1], ".,"))) {
        split_token(m, token);
        return i;
    }
    for (size_t k = 0; k < token.len; k++) /* "10,5" is a number, too */
        buf_add_char(&number, !dots && token.at[k] == ',' ? '.' : token.at[k]);
    add_token(m, buf_span(&number).at, number.len);
    return i;
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* A token as digits with a fraction: 12.5 */
struct decimal {
    int64_t whole;
    int64_t billionths;
};

static bool read_digits(struct span text, int64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!ascii_is_digit(text.at[i]) || i == MOST_DIGITS)
            return false;
        *out = *out * 10 + (text.at[i] - '0');
    }
    return text.len > 0;
}

/* If `to` is beyond the end: up to the end. */
static struct span part_of(struct span text, size_t from, size_t to)
{
    to = to < text.len ? to : text.len;
    return (struct span){text.at + from, from < to ? to - from : 0};
}

static bool read_decimal(const struct cli_moment *m, size_t token, struct decimal *out)
{
    struct span text, fraction = {"", 0};
    const char *dot;

    if (token >= m->count)
        return false;
    text = m->tokens[token];
    *out = (struct decimal){0, 0};
    if ((dot = span_find(text, '.'))) {
        fraction = span_from(text, (size_t)(dot - text.at) + 1);
        text.len = (size_t)(dot - text.at);
    }
    for (size_t i = 0; i < 9; i++)
        out->billionths = out->billionths * 10 + (i < fraction.len ? fraction.at[i] - '0' : 0);
    for (size_t i = 0; i < fraction.len; i++)
        if (!ascii_is_digit(fraction.at[i]))
            return false;
    return read_digits(text, &out->whole) && (!dot || fraction.len);
}

/* Reads seconds; their fraction is not sent. */
static bool read_seconds(struct cli_moment *m, struct span text)
{
    const char *dot = span_find(text, '.');
    int64_t fraction;

    if (dot && !read_digits(part_of(text, (size_t)(dot - text.at) + 1, (size_t)(dot - text.at) + 7),
                            &fraction))
        return false;
    return read_digits(part_of(text, 0, dot ? (size_t)(dot - text.at) : text.len), &m->second);
}

static void set_minutes(struct cli_moment *m, const struct decimal *value)
{
    m->minute = value->whole;
    m->second = value->billionths ? value->billionths * 60 / 1000000000 : UNSET;
}

/* --- the date --------------------------------------------------------------------------------- */

enum known { ANY, YEAR, MONTH };

static bool add_number(struct numbers *d, int64_t value, enum known known)
{
    int *index = known == YEAR ? &d->year : &d->month;

    if (d->len == COUNT(d->at) || (known != ANY && *index >= 0))
        return false;
    if (known != ANY)
        *index = (int)d->len;
    d->at[d->len++] = value;
    return true;
}

static bool add_text(struct numbers *d, struct span digits)
{
    int64_t value;

    d->full_year = d->full_year || digits.len > 2;
    return read_digits(digits, &value) && add_number(d, value, digits.len > 2 ? YEAR : ANY);
}

static bool add_decimal(struct numbers *d, const struct decimal *value)
{
    bool is_year = value->whole > 100 || (value->whole == 100 && value->billionths);

    d->full_year = d->full_year || is_year;
    return add_number(d, value->whole, is_year ? YEAR : ANY);
}

static bool at_noon(struct arena *a, int64_t year, int64_t month, int64_t day, int64_t *seconds)
{
    int64_t ms;

    if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31)
        return false;
    if (!date_read_extended(
            span_of(arena_printf(a, "%04d-%02d-%02dT12:00:00Z", (int)year, (int)month, (int)day)),
            &ms))
        return false;
    *seconds = ms / 1000;
    return true;
}

/* A number that can only be the day, if it is a part of the date at all. */
static bool could_be_day(const struct cli_moment *m, const struct decimal *value)
{
    const struct numbers *d = &m->date;
    int64_t year = d->year < 0 ? 2000 : d->at[d->year], ignored;

    if (value->whole == 31 && value->billionths)
        return false;
    if (d->month < 0)
        return value->whole >= 1 && value->whole <= 31;
    return at_noon(m->arena, year >= 1 && year <= 9999 ? year : 2000 + year % 400, d->at[d->month],
                   value->whole, &ignored) &&
           !(value->billionths &&
             !at_noon(m->arena, year, d->at[d->month], value->whole + 1, &ignored));
}

/* The order of y, m and d if no year, or no part at all, is known. */
static const char *order_of_two(const struct numbers *d)
{
    if (d->month >= 0)
        return d->at[1 - d->month] > 31 ? (d->month ? "ym" : "my") : (d->month ? "dm" : "md");
    return d->at[0] > 31 ? "ym" : d->at[1] > 31 ? "my" : "md";
}

static const char *order_of_three(const struct numbers *d)
{
    static const char *const known[3][3] = {
        {NULL, "ymd", "ydm"}, {"myd", NULL, "dym"}, {"mdy", "dmy", NULL}};

    if (d->year >= 0 && d->month >= 0)
        return known[d->year][d->month];
    if (d->month == 0)
        return d->at[1] > 31 ? "myd" : "mdy";
    if (d->month == 1)
        return d->at[0] > 31 ? "ymd" : "dmy";
    if (d->month == 2)
        return d->at[1] > 31 ? "dym" : "ydm";
    if (d->at[0] > 31 || d->year == 0)
        return "ymd";
    return d->at[0] > 12 ? "dmy" : "mdy";
}

static const char *order_of(const struct numbers *d)
{
    switch (d->len) {
    case 0:
        return "";
    case 1:
        return d->year == 0 || (d->month < 0 && d->at[0] > 31) ? "y" : d->month == 0 ? "m" : "d";
    case 2:
        return d->year >= 0 && d->month >= 0 ? (d->year ? "my" : "ym") : order_of_two(d);
    default:
        return order_of_three(d);
    }
}

/* A two-digit year is the nearest year with those last digits. */
static int64_t full_year(const struct numbers *d, int64_t year, int64_t today)
{
    if (year >= 100 || d->full_year)
        return year;
    year += today / 100 * 100;
    return year >= today + 50 ? year - 100 : year < today - 50 ? year + 100 : year;
}

/* --- parts of a text -------------------------------------------------------------------------- */

/* The token that says whether the number at `i` is hours, minutes or seconds, or `i`. */
static size_t unit_near(const struct cli_moment *m, size_t i)
{
    if (value_of(m, i + 1, units) >= 0)
        return i + 1;
    if (token_is(m, i + 1, " ") && value_of(m, i + 2, units) >= 0)
        return i + 2;
    if (i > 0 && value_of(m, i - 1, units) >= 0)
        return i - 1;
    if (i > 1 && i == m->count - 1 && token_is(m, i - 1, " ") && value_of(m, i - 2, units) >= 0)
        return i - 2;
    return i;
}

/* "12h", or the 30 of "12h30". */
static bool take_unit(struct cli_moment *m, size_t *i, size_t unit, const struct decimal *value)
{
    int which = value_of(m, unit, units) + (unit < *i);

    if (which == HOURS) {
        m->hour = value->whole;
        if (value->billionths)
            m->minute = value->billionths * 60 / 1000000000;
    } else if (which == MINUTES) {
        set_minutes(m, value);
    } else if (which == SECONDS && !read_seconds(m, m->tokens[*i])) {
        return false;
    }
    *i = unit > *i ? unit : *i;
    return true;
}

/* "10:30", "10:30:15.5" */
static bool take_clock(struct cli_moment *m, size_t *i, int64_t hour)
{
    struct decimal minutes;

    m->hour = hour;
    if (!read_decimal(m, *i + 2, &minutes))
        return false;
    set_minutes(m, &minutes);
    if (token_is(m, *i + 3, ":") && *i + 4 < m->count) {
        if (!read_seconds(m, m->tokens[*i + 4]))
            return false;
        *i += 2;
    }
    *i += 2;
    return true;
}

/* Takes a month's name or a number. */
static bool add_part(struct cli_moment *m, size_t token)
{
    int month = value_of(m, token, months);

    if (token >= m->count)
        return false;
    return month > 0 ? add_number(&m->date, month, MONTH) : add_text(&m->date, m->tokens[token]);
}

/* "2020-01-31", "31/Jan/2020", "31.12.20"; may also be the first part alone. */
static bool take_date(struct cli_moment *m, size_t *i)
{
    struct span separator = m->tokens[*i + 1];

    if (!add_text(&m->date, m->tokens[*i]))
        return false;
    if (*i + 2 < m->count && !is_jump(m, *i + 2)) {
        if (!add_part(m, *i + 2))
            return false;
        if (*i + 3 < m->count && span_equal(m->tokens[*i + 3], separator)) {
            if (!add_part(m, *i + 4))
                return false;
            *i += 2;
        }
        *i += 1;
    }
    *i += 1;
    return true;
}

static bool set_half(struct cli_moment *m, int64_t hour, int half)
{
    m->hour = half && hour < 12 ? hour + 12 : !half && hour == 12 ? 0 : hour;
    return true;
}

/* 20200131, 202001311030, 20200131103015 */
static bool take_packed(struct cli_moment *m, struct span s)
{
    int64_t year;

    m->date.full_year = true;
    if (!read_digits(part_of(s, 0, 4), &year) || !add_number(&m->date, year, YEAR) ||
        !add_text(&m->date, part_of(s, 4, 6)) || !add_text(&m->date, part_of(s, 6, 8)))
        return false;
    return (s.len == 8 || (read_digits(part_of(s, 8, 10), &m->hour) &&
                           read_digits(part_of(s, 10, 12), &m->minute))) &&
           (s.len < 14 || read_digits(part_of(s, 12, 14), &m->second));
}

/* YYMMDD, or HHMMSS after a date. */
static bool take_six(struct cli_moment *m, struct span s)
{
    if (!m->date.len && !span_has(s, '.'))
        return add_text(&m->date, part_of(s, 0, 2)) && add_text(&m->date, part_of(s, 2, 4)) &&
               add_text(&m->date, part_of(s, 4, 6));
    return read_digits(part_of(s, 0, 2), &m->hour) && read_digits(part_of(s, 2, 4), &m->minute) &&
           read_seconds(m, part_of(s, 4, s.len));
}

/* A number, and following tokens that belong to it: *i is then the last token taken. */
static bool take_number(struct cli_moment *m, size_t *i)
{
    struct span s = m->tokens[*i];
    size_t unit = unit_near(m, *i), next = *i + 1;
    struct decimal value;
    const char *dot = span_find(s, '.');

    if (!read_decimal(m, *i, &value))
        return false;
    if (m->date.len == 3 && (s.len == 2 || s.len == 4) && m->hour == UNSET &&
        !token_is(m, next, ":") && value_of(m, next, units) < 0) /* 20200131T10 */
        return read_digits(part_of(s, 0, 2), &m->hour) &&
               (s.len == 2 || read_digits(part_of(s, 2, 4), &m->minute));
    if (s.len == 6 || (dot && dot - s.at == 6))
        return take_six(m, s);
    if (s.len == 8 || s.len == 12 || s.len == 14)
        return take_packed(m, s);
    if (unit != *i)
        return take_unit(m, i, unit, &value);
    if (token_is(m, next, ":") && next + 1 < m->count)
        return take_clock(m, i, value.whole);
    if (token_is(m, next, "-") || token_is(m, next, "/") || token_is(m, next, "."))
        return take_date(m, i);
    if (next >= m->count || is_jump(m, next)) {
        int half = value_of(m, next + 1, halves);

        *i += half < 0 ? 1 : 2;
        return half < 0 ? add_decimal(&m->date, &value) : set_half(m, value.whole, half);
    }
    if (value_of(m, next, halves) >= 0 && value.whole < 24) {
        *i += 1;
        return set_half(m, value.whole, value_of(m, next, halves));
    }
    return could_be_day(m, &value) && add_decimal(&m->date, &value);
}

/* "Jan", "Jan-31", "Jan/31/2020", "Jan of 20" */
static bool take_month(struct cli_moment *m, size_t *i)
{
    size_t next = *i + 1;
    int64_t year;

    if (!add_part(m, *i))
        return false;
    if (token_is(m, next, "-") || token_is(m, next, "/")) {
        if (next + 1 >= m->count || !add_text(&m->date, m->tokens[next + 1]))
            return false;
        *i += 2;
        if (*i + 1 < m->count && span_equal(m->tokens[*i + 1], m->tokens[next])) {
            if (*i + 2 >= m->count || !add_text(&m->date, m->tokens[*i + 2]))
                return false;
            *i += 2;
        }
    } else if (*i + 4 < m->count && token_is(m, next, " ") && token_is(m, *i + 3, " ") &&
               has_word("of", m->tokens[*i + 2])) {
        *i += 4;
        return !read_digits(m->tokens[*i], &year) || add_number(&m->date, year, YEAR);
    }
    return true;
}

static bool is_utc(struct span name)
{
    return span_is(name, "UTC") || span_is(name, "GMT") || span_is(name, "Z") || span_is(name, "z");
}

static bool could_be_zone(const struct cli_moment *m, size_t token)
{
    struct span name = m->tokens[token];

    if (m->hour == UNSET || m->zone.at || name.len > 5)
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (name.at[i] < 'A' || name.at[i] > 'Z')
            return is_utc(name);
    return true;
}

/* "EST", and "BRST+3", which means that GMT is three hours later: the sign is inverted. */
static void take_zone(struct cli_moment *m, size_t i)
{
    bool plus = token_is(m, i + 1, "+");

    m->zone = m->tokens[i];
    if (!plus && !token_is(m, i + 1, "-"))
        return;
    m->tokens[i + 1] = plus ? SPAN_LIT("-") : SPAN_LIT("+");
    if (is_utc(m->zone))
        m->zone = (struct span){NULL, 0};
}

/* "+0100", "-05:00", "+1", and a name in brackets after it. */
static bool take_offset(struct cli_moment *m, size_t *i)
{
    int64_t sign = token_is(m, *i, "+") ? 1 : -1, hours, minutes = 0;
    struct span s;
    size_t zone;

    if (*i + 1 >= m->count)
        return false;
    s = m->tokens[*i + 1];
    if (s.len == 4) {
        if (!read_digits(part_of(s, 0, 2), &hours) || !read_digits(part_of(s, 2, 4), &minutes))
            return false;
    } else if (token_is(m, *i + 2, ":")) {
        if (*i + 3 >= m->count || !read_digits(s, &hours) ||
            !read_digits(m->tokens[*i + 3], &minutes))
            return false;
        *i += 2;
    } else if (s.len > 2 || !read_digits(s, &hours)) {
        return false;
    }
    if (hours > 99 || minutes > 9999)
        return false;
    m->offset = sign * (hours * 3600 + minutes * 60);
    zone = *i + 4;
    if (zone + 1 < m->count && is_jump(m, *i + 2) && token_is(m, zone - 1, "(") &&
        token_is(m, zone + 1, ")") && m->tokens[zone].len >= 3 && could_be_zone(m, zone)) {
        m->zone = m->tokens[zone];
        *i += 4;
    }
    *i += 1;
    return true;
}

static bool take_token(struct cli_moment *m, size_t *i)
{
    int half = value_of(m, *i, halves);

    if (ascii_is_digit(m->tokens[*i].at[0]))
        return take_number(m, i);
    if (value_of(m, *i, weekdays) >= 0) {
        m->weekday = value_of(m, *i, weekdays);
        return true;
    }
    if (value_of(m, *i, months) >= 0)
        return take_month(m, i);
    if (half >= 0)
        return m->hour >= 0 && m->hour <= 12 && set_half(m, m->hour, half);
    if (m->offset == UNSET && could_be_zone(m, *i)) {
        take_zone(m, *i);
        return true;
    }
    if (m->hour != UNSET && (token_is(m, *i, "+") || token_is(m, *i, "-")))
        return take_offset(m, i);
    return is_jump(m, *i);
}

/* --- all together ----------------------------------------------------------------------------- */

/* The offset of the zone at that moment; the local offset if the name is the local zone's. */
static int64_t zone_offset(const struct cli_moment *m, int64_t utc)
{
    time_t moment = (time_t)utc, local;
    struct tm parts;

    if (m->zone.at && !span_is(m->zone, "GMT") && m->offset == UNSET && !is_utc(m->zone) &&
        (span_is(m->zone, tzname[0]) || span_is(m->zone, tzname[1])) && gmtime_r(&moment, &parts)) {
        parts.tm_isdst = -1;
        local = mktime(&parts);
        return (int64_t)moment - (int64_t)local;
    }
    return m->offset == UNSET || (m->zone.at && is_utc(m->zone)) ? 0 : m->offset;
}

static bool put_together(struct cli_moment *m, int64_t now, int64_t *seconds)
{
    const struct numbers *d = &m->date;
    const char *order = order_of(d);
    time_t moment = (time_t)now;
    struct tm today;
    int64_t year, month, day;
    bool has_day = strchr(order, 'd') != NULL;

    if (!localtime_r(&moment, &today))
        return false;
    year = today.tm_year + 1900;
    month = today.tm_mon + 1;
    day = today.tm_mday;
    for (size_t i = 0; order[i]; i++) {
        if (order[i] == 'y')
            year = full_year(d, d->at[i], today.tm_year + 1900);
        else
            *(order[i] == 'm' ? &month : &day) = d->at[i];
    }
    while (!at_noon(m->arena, year, month, day, seconds))
        if (has_day || --day < 28)
            return false;
    if (m->weekday != UNSET && !(has_day && day))
        *seconds += (m->weekday + 7 - (*seconds + MONDAY) / DAY % 7) % 7 * DAY;
    m->hour = m->hour == UNSET ? 0 : m->hour;
    m->minute = m->minute == UNSET ? 0 : m->minute;
    m->second = m->second == UNSET ? 0 : m->second;
    if (m->hour > 23 || m->minute > 59 || m->second > 59)
        return false;
    *seconds += (m->hour - 12) * 3600 + m->minute * 60 + m->second;
    m->offset = zone_offset(m, *seconds);
    *seconds -= m->offset;
    return m->offset > -DAY && m->offset < DAY;
}

/* Seconds since 1970 as Python's float() reads them. */
static bool read_float(struct arena *a, struct span text, double *out)
{
    struct buf plain = buf_in(a);
    char *end;

    for (size_t i = 0; i < text.len; i++) {
        bool between = i && i + 1 < text.len && ascii_is_digit(text.at[i - 1]) &&
                       ascii_is_digit(text.at[i + 1]);

        if (text.at[i] == '_' && between)
            continue;
        if (!ascii_is_digit(text.at[i]) && !ascii_is_space(text.at[i]) &&
            !ascii_is_one_of(text.at[i], "+-.eE"))
            return false;
        buf_add_char(&plain, text.at[i]);
    }
    *out = strtod(buf_text(&plain), &end);
    return end != buf_text(&plain) && !end[strspn(end, " \t\n\v\f\r")];
}

static bool read_number(double number, int64_t *seconds)
{
    double whole = floor(nearbyint(number * 1e6) / 1e6);

    *seconds = whole >= -62135596800.0 && whole <= 253402300799.0 ? (int64_t)whole : 0;
    return *seconds || whole == 0;
}

static bool read_text(struct arena *a, struct span text, int64_t now, int64_t *seconds)
{
    struct cli_moment m = {.arena = a,
                           .date = {.year = -1, .month = -1},
                           .hour = UNSET,
                           .minute = UNSET,
                           .second = UNSET,
                           .weekday = UNSET,
                           .offset = UNSET};
    double number;

    if (read_float(a, text, &number) && read_number(number, seconds))
        return true;
    for (size_t i = 0; i < text.len;) {
        if (ascii_is_digit(text.at[i]) || is_letter(text.at[i])) {
            i = read_token(&m, text, i);
        } else {
            add_token(&m, ascii_is_space(text.at[i]) ? " " : text.at + i, 1);
            i++;
        }
    }
    for (size_t i = 0; i < m.count; i++)
        if (!take_token(&m, &i))
            return false;
    if (!m.date.len && m.hour == UNSET && m.minute == UNSET && m.second == UNSET &&
        m.weekday == UNSET)
        return false; /* not a part of a date */
    return put_together(&m, now, seconds);
}

bool awscli_moment_of(struct arena *a, const wire_node *node, int64_t now, int64_t *seconds)
{
    switch (json_kind(node)) {
    case JSON_STRING:
        return read_text(a, wire_text(node), now, seconds);
    case JSON_NUMBER:
        return read_number(wire_double(node, 0), seconds);
    case JSON_BOOL: /* a number in Python */
        *seconds = wire_bool(node, false);
        return true;
    default:
        return false;
    }
}
