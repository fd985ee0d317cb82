/* dear_chance.h: what a request may be made of. Each factor has a few values, small ones and those
 * near a limit; which of them come together is chance. */
#pragma once

#include "dear.h"

enum dear_shape { LONG_TEXT, NULLS, MEMBERS, MAP, NUMBERS, STRINGS, SHUFFLED, EMPTY, DEEP, SHAPES };

struct dear_choice {
    size_t operation, condition, update, last_update, projection, statement;
    enum dear_shape shape;
    int items, wanted, bytes, indexes, names;
    bool conditional, stream, shows, large_value;
};

extern struct dear_choice dear_chosen;

int dear_pick(int count); /* a number below */

/* A value of about so many bytes, as the service counts them, of the shape that was chosen. */
void dear_add_value(struct buf *out, int bytes);

/* Statements about the items: one as a request, or a list of as many as are wanted. */
void dear_add_statement(struct buf *out, int number);
void dear_add_statements(struct buf *out, const char *member, int most);

/* A table with vectors, and a search in it. */
void dear_set_up_search(struct bench *b);
void dear_add_search(struct buf *out);
