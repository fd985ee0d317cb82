/* What a search of packed vectors costs, without request and store: processor time.
 *
 *   bench_vectors [rows] [dimensions]      10 000 and 768 */
#define _POSIX_C_SOURCE 200809L
#include "base/attributes.h"
#include "ops/vector/search_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 21
#define HITS   10

static double now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void fill_vector(float *at, size_t dimensions)
{
    static uint32_t state = 2463534242;

    for (size_t i = 0; i < dimensions; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        at[i] = (float)(state % 20001) / 10000 - 1;
    }
}

static void fill(struct vector_set *set, size_t rows, size_t dimensions)
{
    size_t padded = vector_padded(dimensions);
    float *at = calloc(padded, sizeof *at);
    char key[32];

    if (!at)
        process_out_of_memory();
    for (size_t i = 0; i < rows; i++) {
        fill_vector(at, dimensions);
        (void)snprintf(key, sizeof key, "%08zu", i);
        vectors_put(set, &(struct vector_row){
                             .at = at, .norm = vector_norm(at, padded), .key = span_of(key)});
    }
    free(at);
}

static int by_value(const void *a, const void *b)
{
    double one = *(const double *)a, two = *(const double *)b;

    return (one > two) - (one < two);
}

static double search(struct arena *a, struct vector_set *set, enum distance distance,
                     size_t dimensions)
{
    struct search_scan scan = {.set = set, .most = HITS, .at_once = SIZE_MAX};
    float *from = arena_array(a, vector_padded(dimensions), sizeof *from);
    double taken[ROUNDS];

    fill_vector(from, dimensions);
    scan.query = vector_query_of(a, distance, from, dimensions);
    for (size_t i = 0; i < ROUNDS; i++) {
        struct vector_search found = {.id = 0};
        double began = now_ms();

        if (!search_scan(a, &scan, &found) || found.count != HITS)
            abort();
        taken[i] = now_ms() - began;
    }
    qsort(taken, ROUNDS, sizeof *taken, by_value);
    return taken[ROUNDS / 2];
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"DOT_PRODUCT", "COSINE", "EUCLIDEAN"};
    size_t rows = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    size_t dimensions = argc > 2 ? strtoul(argv[2], NULL, 10) : 768;
    struct siphash_key key = {{1, 2}};
    struct vectors all = {0};
    struct arena *a = arena_new();
    struct vector_set *set = vectors_begin(&all, 16, vector_padded(dimensions), &key);

    fill(set, rows, dimensions);
    for (size_t i = 0; i < COUNT(names); i++)
        printf("%zu x %zu, %s: %.2f ms\n", rows, dimensions, names[i],
               search(a, set, (enum distance)i, dimensions));
    vectors_free(&all);
    arena_free(a);
    return 0;
}
