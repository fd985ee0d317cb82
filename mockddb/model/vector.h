/* vector.h: vectors of 32-bit floats: parses, compares and prints them.
 *
 * Numbers are rounded to the nearest float, sums are computed in double, and a score is rounded to
 * float again. Source: docs/behaviour/vectors.md, "Scores". */
#pragma once

#include "model/schema.h"

/* The functions below process this many floats at a time: vectors are padded with zeros. */
#define VECTOR_STRIDE 8
size_t vector_padded(size_t dimensions);

/* The float nearest to a canonical number; false if it is outside the range of floats. */
bool vector_float(struct span number, float *out);

/* Reads a list of `dimensions` numbers; false for any other value. out is NULL or has room for
 * vector_padded(dimensions) floats; the padding is set to zero. */
bool vector_read(const struct attr *value, size_t dimensions, float *out);

/* Whether a vector index has an entry for the item: its vector and its HASH are valid, its key is
 * allowed, and the filters that it has are of their types. */
bool vector_is_indexed(const struct index *ix, const struct item *it);

/* How many bytes less the vector takes in an index entry (schema_vector_size) than the list of
 * numbers takes in the item; negative if it takes more. */
int64_t vector_spared(const struct index *ix, const struct attr *value);

/* --- scores ----------------------------------------------------------------------------------- */

/* A vector to search for, prepared for scoring. */
struct vector_query {
    enum distance distance;
    size_t padded;
    double *at; /* `padded` numbers, each exactly a float */
    double norm;
};

/* `from` is padded; the result's numbers are in the arena. */
struct vector_query vector_query_of(struct arena *a, enum distance distance, const float *from,
                                    size_t dimensions);

/* The Euclidean norm of a padded vector. */
double vector_norm(const float *at, size_t padded);

/* The score of a padded vector; only COSINE needs its norm. */
float vector_score(const struct vector_query *q, const float *at, double norm);

/* Whether the first score is nearer than the second. */
static inline bool vector_is_nearer(enum distance distance, float one, float two)
{
    return distance == DISTANCE_DOT_PRODUCT ? one > two : one < two;
}

/* --- text ------------------------------------------------------------------------------------- */

/* Prints the shortest decimal that reads back as the same float, with a point, no exponent. */
void vector_print_float(struct buf *out, float value);
/* Prints a score: the shortest decimal of the double that equals it. */
void vector_print_score(struct buf *out, float score);
