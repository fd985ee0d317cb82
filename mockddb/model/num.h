/* num.h: DynamoDB numbers: exact decimals of up to 38 significant digits.
 *
 * Range: zero and magnitudes 1E-130 to 9.99…E+125. Source: the service's "Naming rules and
 * data types", Number; docs/behaviour/values.md. */
#pragma once

#include "base/buf.h"
#include "model/error.h"

#define NUM_MAX_DIGITS 38
#define NUM_KEY_MAX    24 /* bytes of the longest key form */

/* value = ±0.d1d2d3… × 10^exponent; digits trimmed at both ends; zero has no digits. */
struct num {
    bool negative; /* false for zero */
    int exponent;  /* 0 for zero */
    int digits;
    unsigned char digit[NUM_MAX_DIGITS]; /* 0..9 */
};

enum num_status {
    NUM_OK,
    NUM_SYNTAX,   /* not a number */
    NUM_OVERFLOW, /* magnitude of 1E126 or more */
    NUM_UNDERFLOW,
    NUM_PRECISION /* more than 38 significant digits */
};

/* Reads the service's number syntax; *out is set only on NUM_OK. `wrap_exponent` chooses how a huge
 * exponent is read: false accepts up to 64 bits, without wrapping (overflow); true, like the older
 * value checker, accepts up to 32 bits and places the point in 32 bits, so that 1E2147483647 wraps
 * round to underflow. A longer exponent is a syntax error. */
enum num_status num_parse(struct span text, bool wrap_exponent, struct num *out);

/* Reads text that num_format wrote (stored data). */
struct num num_of(struct span canonical);

/* Writes a plain decimal without exponent and superfluous zeros. */
void num_format(struct buf *out, const struct num *n);

/* < 0, 0, > 0 */
int num_compare(const struct num *a, const struct num *b);

/* Exact sum and difference: NUM_OK, NUM_UNDERFLOW, or NUM_OVERFLOW, also for over 38 digits. */
enum num_status num_add(const struct num *a, const struct num *b, struct num *out);
enum num_status num_subtract(const struct num *a, const struct num *b, struct num *out);

/* The number of bytes that the service counts for the number. */
size_t num_size(const struct num *n);
size_t num_size_of(struct span canonical);

/* Writes a byte string whose memcmp order is numeric order; returns its length. */
size_t num_encode_key(const struct num *n, unsigned char out[NUM_KEY_MAX]);
/* Decodes what num_encode_key wrote. */
struct num num_decode_key(struct span key);

/* The cause of an error for a failed status of the text. */
struct error_why num_why(enum num_status status, struct span text);

/* The service's message for a failed status ("The parameter cannot be converted …"). The older
 * value checker omits an empty text. */
struct span num_message(struct arena *a, enum num_status status, struct span text,
                        bool older_layer);
