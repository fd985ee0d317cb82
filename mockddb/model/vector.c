#include "model/vector.h"

#include "base/ascii.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

size_t vector_padded(size_t dimensions)
{
    return (dimensions + VECTOR_STRIDE - 1) / VECTOR_STRIDE * VECTOR_STRIDE;
}

/* --- numbers ---------------------------------------------------------------------------------- */

#define EXACT_DIGITS 15 /* a double represents any decimal of this many digits */
#define EXACT_POWER  22 /* 10 to this power is exactly a double */
#define NUMBER_MAX   256

static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Rounding to double and then to float is wrong only halfway between two floats. */
static bool is_half_way(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x1fffffff) == 0x10000000;
}

/* Fast path for numbers of few digits, which nearly all are; false for other numbers. */
static bool read_short(struct span text, float *out)
{
    bool negative = text.len && text.at[0] == '-', point = false;
    int64_t digits = 0;
    size_t count = 0, fraction = 0;
    double value;

    for (size_t i = negative; i < text.len; i++) {
        char c = text.at[i];

        if (c == '.') {
            point = true;
            continue;
        }
        digits = digits * 10 + (c - '0');
        count += count || c != '0';
        fraction += point;
        if (count > EXACT_DIGITS || fraction > EXACT_POWER)
            return false;
    }
    value = (double)digits / powers[fraction];
    if (is_half_way(value) || (digits && value < (double)FLT_MIN))
        return false;
    *out = (float)(negative ? -value : value);
    return true;
}

bool vector_float(struct span number, float *out)
{
    char text[NUMBER_MAX];
    float value;

    if (read_short(number, out))
        return true;
    assert(number.len < sizeof text);
    memcpy(text, number.at, number.len);
    text[number.len] = '\0';
    value = strtof(text, NULL);
    if (isinf(value))
        return false;
    *out = value;
    return true;
}

bool vector_read(const struct attr *value, size_t dimensions, float *out)
{
    float unused;

    if (value->type != ATTR_L || value->list.len != dimensions)
        return false;
    for (size_t i = 0; i < dimensions; i++)
        if (value->list.at[i].type != ATTR_N ||
            !vector_float(value->list.at[i].bytes, out ? &out[i] : &unused))
            return false;
    if (out)
        memset(out + dimensions, 0, (vector_padded(dimensions) - dimensions) * sizeof *out);
    return true;
}

static bool has_part(const struct search_part *part, const struct item *it)
{
    const struct attr *value = item_find(it, part->name);

    if (!value)
        return !part->hash;
    if (value->type != part->type)
        return false;
    if (part->hash)
        return value->bytes.len && attr_size(value) <= LIMIT_HASH_BYTES;
    return attr_size(value) <= LIMIT_INLINE_FILTER_BYTES;
}

bool vector_is_indexed(const struct index *ix, const struct item *it)
{
    const struct attr *value = item_find(it, ix->vector.attribute);

    for (size_t i = 0; i < ix->vector.part_count; i++)
        if (!has_part(&ix->vector.parts[i], it))
            return false;
    return value && vector_read(value, (size_t)ix->vector.dimensions, NULL);
}

int64_t vector_spared(const struct index *ix, const struct attr *value)
{
    return (int64_t)(ix->vector.attribute.len + attr_size(value)) - (int64_t)schema_vector_size(ix);
}

/* --- scores ----------------------------------------------------------------------------------- */

/* Sums in groups of four, in the compiler's vectors, which become whatever the processor has. Two
 * sums at a time, so that no addition waits for the one before. */
#define AHEAD_BYTES 2048

typedef float floats __attribute__((vector_size(16)));
typedef double doubles __attribute__((vector_size(32)));

struct sums {
    doubles even, odd;
};

static inline void load(doubles *four, const float *at)
{
    floats narrow;

    memcpy(&narrow, at, sizeof narrow);
    *four = __builtin_convertvector(narrow, doubles);
}

static inline void add_product(doubles *sum, const double *q, const float *s)
{
    doubles one, two;

    memcpy(&one, q, sizeof one);
    load(&two, s);
    *sum += one * two;
}

static inline void add_square(doubles *sum, const float *s)
{
    doubles one;

    load(&one, s);
    *sum += one * one;
}

static inline void add_distance(doubles *sum, const double *q, const float *s)
{
    doubles one, two;

    memcpy(&one, q, sizeof one);
    load(&two, s);
    one -= two;
    *sum += one * one;
}

/* Rows are contiguous, and a search waits for memory more than it computes: prefetching makes
 * 10000 rows of 768 take 3.5 ms instead of 5.7. The address may be beyond the last row. */
static inline void fetch_ahead(const float *at)
{
    __builtin_prefetch((const void *)((uintptr_t)at + AHEAD_BYTES));
}

static inline double sum_of(const struct sums *s)
{
    doubles all = s->even + s->odd;

    return (all[0] + all[1]) + (all[2] + all[3]);
}

static double dot_product(const double *q, const float *s, size_t padded)
{
    struct sums sums = {.even = {0}};

    for (size_t i = 0; i < padded; i += VECTOR_STRIDE) {
        fetch_ahead(s + i);
        add_product(&sums.even, q + i, s + i);
        add_product(&sums.odd, q + i + VECTOR_STRIDE / 2, s + i + VECTOR_STRIDE / 2);
    }
    return sum_of(&sums);
}

static double squares_between(const double *q, const float *s, size_t padded)
{
    struct sums sums = {.even = {0}};

    for (size_t i = 0; i < padded; i += VECTOR_STRIDE) {
        fetch_ahead(s + i);
        add_distance(&sums.even, q + i, s + i);
        add_distance(&sums.odd, q + i + VECTOR_STRIDE / 2, s + i + VECTOR_STRIDE / 2);
    }
    return sum_of(&sums);
}

double vector_norm(const float *at, size_t padded)
{
    struct sums sums = {.even = {0}};

    for (size_t i = 0; i < padded; i += VECTOR_STRIDE) {
        add_square(&sums.even, at + i);
        add_square(&sums.odd, at + i + VECTOR_STRIDE / 2);
    }
    return sqrt(sum_of(&sums));
}

struct vector_query vector_query_of(struct arena *a, enum distance distance, const float *from,
                                    size_t dimensions)
{
    struct vector_query q = {.distance = distance, .padded = vector_padded(dimensions)};

    q.at = arena_array(a, q.padded, sizeof *q.at);
    for (size_t i = 0; i < dimensions; i++)
        q.at[i] = (double)from[i];
    q.norm = vector_norm(from, q.padded);
    return q;
}

static float narrow_double(double value)
{
    if (value > (double)FLT_MAX)
        return FLT_MAX;
    return value < -(double)FLT_MAX ? -FLT_MAX : (float)value;
}

static double cosine_score(const struct vector_query *q, const float *at, double norm)
{
    double value;

    if (q->norm == 0 || norm == 0)
        return 1;
    value = 1 - dot_product(q->at, at, q->padded) / (q->norm * norm);
    return value < 0 ? 0 : value > 2 ? 2 : value;
}

float vector_score(const struct vector_query *q, const float *at, double norm)
{
    if (q->distance == DISTANCE_COSINE)
        return narrow_double(cosine_score(q, at, norm));
    if (q->distance == DISTANCE_EUCLIDEAN)
        return narrow_double(sqrt(squares_between(q->at, at, q->padded)));
    return narrow_double(dot_product(q->at, at, q->padded));
}

/* --- text ------------------------------------------------------------------------------------- */

#define FLOAT_DIGITS  9  /* enough to tell any two floats apart … */
#define DOUBLE_DIGITS 17 /* … and any two doubles */

/* Prints d.ddde±xx as a plain decimal with a point. */
static void print_plain(struct buf *out, const char *scientific)
{
    const char *e = strchr(scientific, 'e');
    long exponent = strtol(e + 1, NULL, 10);
    char digits[DOUBLE_DIGITS + 1] = {0};
    long count = 0;

    if (*scientific == '-')
        buf_add_char(out, '-');
    for (const char *at = scientific; at < e; at++)
        if (ascii_is_digit(*at))
            digits[count++] = *at;
    while (count > 1 && digits[count - 1] == '0')
        count--;
    if (exponent < 0)
        buf_add_char(out, '0');
    for (long i = 0; i <= exponent; i++)
        buf_add_char(out, i < count ? digits[i] : '0');
    buf_add_char(out, '.');
    for (long i = exponent + 1; i < 0; i++)
        buf_add_char(out, '0');
    for (long i = exponent < 0 ? 0 : exponent + 1; i < count; i++)
        buf_add_char(out, digits[i]);
    if (count <= exponent + 1)
        buf_add_char(out, '0');
}

void vector_print_float(struct buf *out, float value)
{
    char text[32];
    int digits = 1;

    do
        (void)snprintf(text, sizeof text, "%.*e", digits - 1, (double)value);
    while (strtof(text, NULL) != value && ++digits <= FLOAT_DIGITS);
    print_plain(out, text);
}

void vector_print_score(struct buf *out, float score)
{
    double value = (double)score;
    char text[32];
    int digits = 1;

    do
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
    while (strtod(text, NULL) != value && ++digits <= DOUBLE_DIGITS);
    buf_add_text(out, text);
    if (!strpbrk(text, ".e"))
        buf_add_text(out, ".0");
}
