/* fixtures_items.h: the items of a fixture's table, line by line. */
#ifndef FIXTURES_ITEMS_H
#define FIXTURES_ITEMS_H

#include "base/span.h"

struct fixture_line {
    struct span item; /* the JSON of an item */
    size_t number;    /* from 1 */
};

enum fixture_reading { FIXTURE_LINE, FIXTURE_BAD_LINE, FIXTURE_END };

/* Takes the next line that is not blank off *rest; *number counts the lines. `{"Item": {…}}` is
 * unwrapped unless `partition`, the table's partition key, is "Item". The item is one JSON object
 * as far as brackets and strings go; FIXTURE_BAD_LINE, with line->number set, when it is not. */
enum fixture_reading fixture_next_line(struct span *rest, size_t *number, struct span partition,
                                       struct fixture_line *line);

#endif
