#include "base/date.h"

#include "base/ascii.h"

#include <time.h>

#define BASIC_SIZE    (sizeof "20150830T123600Z")
#define EXTENDED_SIZE (sizeof "2015-08-30T12:36:00Z")

#define FIRST_SECOND (-62135596800) /* in the year 1 … */
#define LAST_SECOND  253402300799   /* … and in the year 9999: times outside are clamped */

static struct tm utc_of(int64_t ms)
{
    time_t seconds = ms / 1000;
    struct tm utc;

    if (seconds < FIRST_SECOND)
        seconds = FIRST_SECOND;
    if (seconds > LAST_SECOND)
        seconds = LAST_SECOND;
    gmtime_r(&seconds, &utc);
    return utc;
}

char *date_basic(struct arena *a, int64_t ms)
{
    char *text = arena_alloc(a, BASIC_SIZE);
    struct tm utc = utc_of(ms);

    (void)strftime(text, BASIC_SIZE, "%Y%m%dT%H%M%SZ", &utc);
    return text;
}

char *date_extended(struct arena *a, int64_t ms)
{
    char *text = arena_alloc(a, EXTENDED_SIZE);
    struct tm utc = utc_of(ms);

    (void)strftime(text, EXTENDED_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

/* --- reading ---------------------------------------------------------------------------------- */

struct date_parts {
    int year, month, day, hour, minute, second, thousandths; /* the month counts from 1 */
};

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_of(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    return days[month - 1] + (month == 2 && is_leap(year));
}

static bool to_ms(const struct date_parts *m, int64_t *ms)
{
    int before = m->year - 1;
    int64_t days;

    if (m->year < 1 || m->month < 1 || m->month > 12 || m->day < 1 ||
        m->day > days_of(m->year, m->month) || m->hour > 23 || m->minute > 59 || m->second > 60)
        return false;
    days = before * 365 + before / 4 - before / 100 + before / 400 - 719162; /* to 1970 */
    for (int month = 1; month < m->month; month++)
        days += days_of(m->year, month);
    days += m->day - 1;
    *ms = (((days * 24 + m->hour) * 60 + m->minute) * 60 + m->second) * 1000 + m->thousandths;
    return true;
}

/* Reads text by the pattern `form`: a letter of YMDhmsf matches a digit of that part, x a digit
 * that is ignored, '?' any character, other characters themselves. */
static bool read_form(struct span text, const char *form, struct date_parts *out)
{
    static const char parts[] = "YMDhmsfx";
    int finer = 0;
    int *into[] = {&out->year,   &out->month,  &out->day,         &out->hour,
                   &out->minute, &out->second, &out->thousandths, &finer};

    if (text.len != strlen(form))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        const char *part = strchr(parts, form[i]);
        char c = text.at[i];

        if (part && ascii_is_digit(c))
            *into[part - parts] = *into[part - parts] * 10 + (c - '0');
        else if (part || (form[i] != '?' && form[i] != c))
            return false;
    }
    return true;
}

bool date_read_basic(struct span text, int64_t *ms)
{
    struct date_parts m = {0};

    return read_form(text, "YYYYMMDDThhmmssZ", &m) && to_ms(&m, ms);
}

bool date_read_http(struct span text, int64_t *ms)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    static const size_t month_at = sizeof "Sun, 30 " - 1;
    struct date_parts m = {0};

    if (!read_form(text, "???, DD ??? YYYY hh:mm:ss G?T", &m))
        return false;
    for (size_t i = 0; i < 12; i++)
        if (memcmp(text.at + month_at, months + 3 * i, 3) == 0)
            m.month = (int)i + 1;
    return to_ms(&m, ms);
}

bool date_read_extended(struct span text, int64_t *ms)
{
    static const char *const forms[] = {"YYYY-MM-DD", "YYYY-MM-DDThh:mmZ", "YYYY-MM-DDThh:mm:ssZ",
                                        "YYYY-MM-DDThh:mm:ss.fffZ", "YYYY-MM-DDThh:mm:ss.fffxxxZ"};

    for (size_t i = 0; i < COUNT(forms); i++) {
        struct date_parts m = {0};

        if (read_form(text, forms[i], &m))
            return to_ms(&m, ms);
    }
    return false;
}
