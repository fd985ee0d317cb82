#include "model/num.h"

#include "base/ascii.h"

#include <assert.h>

/* Exponents of struct num's form (0.d1d2… × 10^exponent): 1E-130 has -129, 9.9…E+125 has 126. */
#define LOWEST_EXPONENT  (-129)
#define HIGHEST_EXPONENT 126

#define TEXT_MAX 176 /* sign, "0.", 129 zeros, 38 digits; or sign and 126 digits */

/* Reads `e`, sign and digits at `at`, or nothing at the very end; false for other text, or if the
 * exponent is beyond ±limit. */
static bool read_exponent(const char *at, const char *end, int64_t limit, int64_t *out)
{
    bool negative;
    int64_t value = 0;

    *out = 0;
    if (at == end)
        return true;
    if (*at != 'e' && *at != 'E')
        return false;
    at++;
    negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end)
        return false;
    for (; at < end; at++) {
        int digit = *at - '0';

        if (!ascii_is_digit(*at) || value > (limit - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = negative ? -value : value;
    return true;
}

static enum num_status check_range(int64_t exponent)
{
    if (exponent > HIGHEST_EXPONENT)
        return NUM_OVERFLOW;
    return exponent < LOWEST_EXPONENT ? NUM_UNDERFLOW : NUM_OK;
}

/* Adds the written exponent and the position of the point: `shift` digits right of the first
 * significant one. The older layer adds in 32 bits, and so turns 1E2147483647 very small. */
static int64_t add_exponent(int64_t written, int64_t shift, bool wrap)
{
    const int64_t far = (int64_t)1 << 62;

    if (wrap)
        return (int32_t)(uint32_t)(written + shift);
    if (written > far || written < -far)
        return written;
    return written + shift;
}

enum num_status num_parse(struct span text, bool wrap_exponent, struct num *out)
{
    const char *at = text.at, *end = span_end(text);
    struct num n = {0};
    bool point = false, any = false;
    size_t digits = 0, significant = 0; /* from the first non-zero one; to the last non-zero one */
    int64_t shift = 0, written, exponent;
    enum num_status status;

    if (at < end && (*at == '-' || *at == '+'))
        n.negative = *at++ == '-';
    for (; at < end && (ascii_is_digit(*at) || (*at == '.' && !point)); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        any = true;
        if (*at == '0' && !digits) {
            shift -= point;
            continue;
        }
        if (digits < NUM_MAX_DIGITS)
            n.digit[digits] = (unsigned char)(*at - '0');
        digits++;
        shift += !point;
        if (*at != '0')
            significant = digits;
    }
    if (!any || !read_exponent(at, end, wrap_exponent ? INT32_MAX : INT64_MAX, &written))
        return NUM_SYNTAX;
    /* A zero counts as if its last digit were left of the point. */
    exponent = add_exponent(written, significant ? shift : 1, wrap_exponent);
    if ((status = check_range(exponent)) != NUM_OK)
        return status;
    if (significant > NUM_MAX_DIGITS)
        return NUM_PRECISION;
    if (!significant) {
        *out = (struct num){0};
        return NUM_OK;
    }
    n.exponent = (int)exponent;
    n.digits = (int)significant;
    *out = n;
    return NUM_OK;
}

struct num num_of(struct span canonical)
{
    struct num n = {0};
    enum num_status status = num_parse(canonical, false, &n);

    assert(status == NUM_OK);
    (void)status;
    return n;
}

static char *put_digits(char *to, const unsigned char *digit, int count)
{
    for (int i = 0; i < count; i++)
        *to++ = (char)('0' + digit[i]);
    return to;
}

static char *put_zeros(char *to, int count)
{
    for (int i = 0; i < count; i++)
        *to++ = '0';
    return to;
}

void num_format(struct buf *out, const struct num *n)
{
    char *start = buf_reserve(out, TEXT_MAX), *to = start;
    int whole = n->exponent < n->digits ? n->exponent : n->digits;

    if (n->negative)
        *to++ = '-';
    if (whole <= 0)
        *to++ = '0';
    else
        to = put_zeros(put_digits(to, n->digit, whole), n->exponent - whole);
    if (n->digits > n->exponent) {
        *to++ = '.';
        if (whole < 0) {
            to = put_zeros(to, -whole);
            whole = 0;
        }
        to = put_digits(to, n->digit + whole, n->digits - whole);
    }
    out->len += (size_t)(to - start);
}

static int compare_magnitudes(const struct num *a, const struct num *b)
{
    int shared = a->digits < b->digits ? a->digits : b->digits, order;

    if (!a->digits || !b->digits || a->exponent == b->exponent)
        order = memcmp(a->digit, b->digit, (size_t)shared);
    else
        return a->exponent < b->exponent ? -1 : 1;
    return order ? order : (a->digits > b->digits) - (a->digits < b->digits);
}

int num_compare(const struct num *a, const struct num *b)
{
    if (a->negative != b->negative)
        return a->negative ? -1 : 1;
    return a->negative ? compare_magnitudes(b, a) : compare_magnitudes(a, b);
}

/* Makes *out from `count` columns of decimal digits, the first of them worth 10^(exponent - 1). */
static enum num_status from_columns(const int *column, int count, int exponent, bool negative,
                                    struct num *out)
{
    struct num n = {.negative = negative};
    enum num_status status;

    while (count && !*column) {
        column++;
        count--;
        exponent--;
    }
    while (count && !column[count - 1])
        count--;
    if (!count) {
        *out = (struct num){0};
        return NUM_OK;
    }
    if ((status = check_range(exponent)) != NUM_OK)
        return status;
    if (count > NUM_MAX_DIGITS)
        return NUM_OVERFLOW; /* the service's error for such a result */
    n.exponent = exponent;
    n.digits = count;
    for (int i = 0; i < count; i++)
        n.digit[i] = (unsigned char)column[i];
    *out = n;
    return NUM_OK;
}

/* The magnitude of `larger` plus sign times the magnitude of `smaller`; neither is zero. */
static enum num_status combine_magnitudes(const struct num *larger, const struct num *smaller,
                                          int sign, bool negative, struct num *out)
{
    int column[NUM_MAX_DIGITS + 2] = {0}; /* one ahead for the carry, one that borrowing may free */
    int top = larger->exponent;
    int bottom = top - larger->digits;
    int width;

    if (smaller->exponent - smaller->digits < bottom)
        bottom = smaller->exponent - smaller->digits;
    width = top - bottom;
    if (width > NUM_MAX_DIGITS + 1)
        return NUM_OVERFLOW;
    for (int i = 0; i < larger->digits; i++)
        column[1 + i] = larger->digit[i];
    for (int i = 0; i < smaller->digits; i++)
        column[1 + top - smaller->exponent + i] += sign * smaller->digit[i];
    for (int i = width; i > 0; i--) {
        int carry = column[i] > 9 ? 1 : column[i] < 0 ? -1 : 0;

        column[i] -= 10 * carry;
        column[i - 1] += carry;
    }
    return from_columns(column, width + 1, top + 1, negative, out);
}

enum num_status num_add(const struct num *a, const struct num *b, struct num *out)
{
    int sign = a->negative == b->negative ? 1 : -1;

    if (!a->digits || !b->digits) {
        *out = a->digits ? *a : *b;
        return NUM_OK;
    }
    if (compare_magnitudes(a, b) < 0)
        return combine_magnitudes(b, a, sign, b->negative, out);
    return combine_magnitudes(a, b, sign, a->negative, out);
}

enum num_status num_subtract(const struct num *a, const struct num *b, struct num *out)
{
    struct num opposite = *b;

    opposite.negative = b->digits && !b->negative;
    return num_add(a, &opposite, out);
}

size_t num_size(const struct num *n)
{
    size_t digits = (size_t)n->digits, whole = n->exponent < 0 ? 0 : (size_t)n->exponent;

    if (whole > digits)
        whole = digits;
    return 1 + (whole + 1) / 2 + (digits - whole + 1) / 2 + n->negative;
}

size_t num_size_of(struct span canonical)
{
    size_t negative = canonical.at[0] == '-', end = canonical.len;
    struct num n;

    if (memchr(canonical.at, '.', canonical.len)) {
        n = num_of(canonical);
        return num_size(&n);
    }
    while (end > negative && canonical.at[end - 1] == '0')
        end--;
    return 1 + (end - negative + 1) / 2 + negative;
}

/* One byte for the sign (zero is only that byte), one for the exponent, then the digits in pairs,
 * each pair plus one so that no byte is 0. For negative numbers all bytes are complemented, and a
 * last FF puts -1.2 after -1.23. */
enum key_sign { KEY_NEGATIVE = 0x7F, KEY_ZERO = 0x80, KEY_POSITIVE = 0x81 };

size_t num_encode_key(const struct num *n, unsigned char out[NUM_KEY_MAX])
{
    size_t len = 2;

    if (!n->digits) {
        out[0] = KEY_ZERO;
        return 1;
    }
    out[0] = KEY_POSITIVE;
    out[1] = (unsigned char)(n->exponent - LOWEST_EXPONENT);
    for (int i = 0; i < n->digits; i += 2)
        out[len++] = (unsigned char)(n->digit[i] * 10 + (i + 1 < n->digits ? n->digit[i + 1] : 0) +
                                     1);
    if (!n->negative)
        return len;
    out[0] = KEY_NEGATIVE;
    for (size_t i = 1; i < len; i++)
        out[i] = (unsigned char)~out[i];
    out[len++] = 0xFF;
    return len;
}

struct num num_decode_key(struct span key)
{
    const unsigned char *at = (const unsigned char *)key.at;
    struct num n = {.negative = at[0] == KEY_NEGATIVE};
    unsigned char flip = n.negative ? 0xFF : 0;
    size_t end = key.len - n.negative; /* without the last FF */

    if (at[0] == KEY_ZERO)
        return n;
    n.exponent = (at[1] ^ flip) + LOWEST_EXPONENT;
    for (size_t i = 2; i < end && n.digits < NUM_MAX_DIGITS; i++) {
        unsigned pair = (at[i] ^ flip) - 1u;

        n.digit[n.digits++] = (unsigned char)(pair / 10);
        n.digit[n.digits++] = (unsigned char)(pair % 10);
    }
    while (n.digits && !n.digit[n.digits - 1])
        n.digits--;
    return n;
}

struct error_why num_why(enum num_status status, struct span text)
{
    enum error_cause cause = status == NUM_SYNTAX      ? CAUSE_NUMBER
                             : status == NUM_PRECISION ? CAUSE_NUMBER_DIGITS
                                                       : CAUSE_NUMBER_RANGE;

    return ERROR_WHY(cause, .operand = text);
}

struct span num_message(struct arena *a, enum num_status status, struct span text, bool older_layer)
{
    struct buf message = buf_in(a);

    switch (status) {
    case NUM_OVERFLOW:
        return SPAN_LIT("Number overflow. Attempting to store a number with magnitude larger than "
                        "supported range");
    case NUM_UNDERFLOW:
        return SPAN_LIT("Number underflow. Attempting to store a number with magnitude smaller "
                        "than supported range");
    case NUM_PRECISION:
        return SPAN_LIT("Attempting to store more than 38 significant digits in a Number");
    case NUM_OK:
    case NUM_SYNTAX:
        break;
    }
    assert(status == NUM_SYNTAX);
    buf_add_text(&message, "The parameter cannot be converted to a numeric value");
    if (!older_layer || text.len)
        buf_add_text(&message, ": ");
    buf_add_span(&message, text);
    return buf_span(&message);
}
