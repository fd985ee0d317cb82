/* vector.h: vectors of 32-bit floats: from numbers, compared, and as text.
 *
 * Numbers are narrowed to the nearest float, sums are taken in double, and a score is narrowed
 * again. Source: docs/behaviour/vectors.md, "Scores". */
#ifndef MODEL_VECTOR_H
#define MODEL_VECTOR_H

#include "base/buf.h"
#include "model/schema.h"

/* Room for so many floats is what the functions below work through: vectors are padded with
 * zeros. */
#define VECTOR_STRIDE 8
size_t vector_padded(size_t dimensions);

/* The float next to a number in canonical text; false where it is outside the range of floats. */
bool vector_float(struct span number, float *out);

/* Reads a list of so many numbers; false for anything else. out may be NULL, else it has room for
 * vector_padded(dimensions), and what is beyond them is zero. */
bool vector_read(const struct attr *value, size_t dimensions, float *out);

/* Whether a vector index has an entry of the item: its vector is one, the HASH is there and a key,
 * and filters are of their types where they are there. */
bool vector_is_indexed(const struct index *ix, const struct item *it);

/* How much less an entry counts for the vector (schema_vector_size) than the list of numbers in the
 * item; more, where it is below 0. */
int64_t vector_spared(const struct index *ix, const struct attr *value);

/* --- scores ----------------------------------------------------------------------------------- */

/* What is searched for, made ready. */
struct vector_query {
    enum distance distance;
    size_t padded;
    double *at; /* `padded` numbers, each a float's value */
    double norm;
};

/* `from` is padded; the numbers are in the arena. */
struct vector_query vector_query_of(struct arena *a, enum distance distance, const float *from,
                                    size_t dimensions);

/* The length of a padded vector. */
double vector_norm(const float *at, size_t padded);

/* The score of a padded vector, whose length only COSINE needs. */
float vector_score(const struct vector_query *q, const float *at, double norm);

/* Whether the first score is nearer than the second. */
static inline bool vector_is_nearer(enum distance distance, float one, float two)
{
    return distance == DISTANCE_DOT_PRODUCT ? one > two : one < two;
}

/* --- text ------------------------------------------------------------------------------------- */

/* The shortest decimal that reads back as the float, without exponent, with a point always. */
void vector_print_float(struct buf *out, float value);
/* A score: the shortest decimal of the double that equals it. */
void vector_print_score(struct buf *out, float score);

#endif
