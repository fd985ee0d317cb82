/* capture_folder.h: the fixture folder that is written. Only the user may read its files.
 *
 * Items are appended to their files. The state (moving_pages.h) records after each page how long
 * the files are; a run that continues another truncates them to the recorded lengths. */
#pragma once

#include "wire/wire_body.h"
#include "wire/wire_reply.h"

#include <stdio.h>

struct capture_folder;

/* Everything lives in the arena. */
struct capture_folder *capture_folder_new(struct arena *a, const char *path);

/* The path of a file in the folder. */
const char *capture_folder_path(const struct capture_folder *f, struct arena *a, const char *name);

/* Whether it has a part of a fixture, even a dangling link. */
bool capture_folder_is_fixture(const struct capture_folder *f, struct arena *a);

/* Adds the lengths of the files to the state; reads them. */
void capture_folder_put_sizes(const struct capture_folder *f, struct wire_writer *w);
void capture_folder_take_sizes(struct capture_folder *f, const wire_node *state);

/* Appends lines of a table's items, durably. Returns NULL, or what is wrong. */
MUST_CHECK const char *capture_folder_add(struct capture_folder *f, struct arena *a,
                                          struct span table, struct span lines);

/* Opens the items of a table for reading; NULL: none were written. */
FILE *capture_folder_items(const struct capture_folder *f, struct arena *a, struct span table);
