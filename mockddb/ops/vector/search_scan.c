#include "ops/vector/search_scan.h"

#define SLICES         8 /* turns for `at_once` bytes: 60 MB take 20 ms */
#define ROWS_AT_CHARGE 64
#define FLOATS_AT_STEP 16
#define STEPS_OF_ROW   4
#define BYTES_OF_STEP  64

static bool is_before(const struct search_scan *s, struct vector_hit one, struct vector_hit two)
{
    if (vector_is_nearer(s->query.distance, one.score, two.score))
        return true;
    if (vector_is_nearer(s->query.distance, two.score, one.score))
        return false;
    return span_compare(vectors_row(s->set, one.row).key, vectors_row(s->set, two.row).key) < 0;
}

/* Inserts a hit in order; there are few hits. */
static void add_hit(const struct search_scan *s, struct vector_search *search,
                    struct vector_hit hit)
{
    size_t at = search->count;

    if (at == s->most && !is_before(s, hit, search->hits[at - 1]))
        return;
    if (at < s->most)
        search->count++;
    else
        at--;
    for (; at && is_before(s, hit, search->hits[at - 1]); at--)
        search->hits[at] = search->hits[at - 1];
    search->hits[at] = hit;
}

/* The cost of a row, in bytes read. */
static size_t bytes_of_row(const struct search_scan *s)
{
    return vectors_bytes(s->set) / vectors_count(s->set) + BYTES_OF_STEP * s->filter.steps;
}

bool search_scan_is_long(const struct search_scan *scan)
{
    size_t count = vectors_count(scan->set);

    return count && bytes_of_row(scan) > scan->at_once / count;
}

/* The row where this turn ends. */
static size_t end_of(const struct search_scan *s, size_t from)
{
    size_t count = vectors_count(s->set), rows;

    if (!search_scan_is_long(s))
        return count;
    rows = s->at_once / SLICES / bytes_of_row(s) + 1;
    return count - from > rows ? from + rows : count;
}

bool search_scan(struct arena *a, const struct search_scan *scan, struct vector_search *search)
{
    size_t end = end_of(scan, search->next);
    size_t steps = scan->query.padded / FLOATS_AT_STEP + STEPS_OF_ROW + scan->filter.steps;

    for (; search->next < end; search->next++) {
        struct vector_row row;

        if (search->next % ROWS_AT_CHARGE == 0)
            arena_charge(a, ROWS_AT_CHARGE * steps);
        row = vectors_row(scan->set, search->next);
        if (search_filter_passes(&scan->filter, row.key, row.label))
            add_hit(scan, search,
                    (struct vector_hit){vector_score(&scan->query, row.at, row.norm),
                                        (uint32_t)search->next});
    }
    return end == vectors_count(scan->set);
}
