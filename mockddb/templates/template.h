/* template.h: the tables that a file of infrastructure describes: docs/templates.md.
 *
 * A template is read whole, but only the values that its tables use are evaluated. The sources are
 * listed in template.c; each finds its tables and converts them to the properties of
 * AWS::DynamoDB::Table, which template_requests.c converts to requests. */
#pragma once

#include "fixtures/fixtures_table.h"
#include "templates/template_value.h"

struct template;

/* A sentence: which files describe tables. */
extern const char template_expected[];

/* Whether a text that does not begin as JSON begins as a template in YAML. */
bool template_is_yaml(struct span head);

/* Reads a template in JSON or YAML and finds its tables. Problems name the file. Everything lives
 * in the arena; text and options are borrowed. */
MUST_CHECK const struct problem *template_read(struct arena *a, const char *file, struct span text,
                                               const struct template_options *options,
                                               struct template **out);

size_t template_count(const struct template *t);
/* The name of a table in the template. */
struct span template_name(const struct template *t, size_t number);

/* Converts a table to requests that create it under this name. */
MUST_CHECK const struct problem *template_requests(struct template *t, size_t number,
                                                   struct span full_name,
                                                   struct fixture_table *out);

/* A line that says that the table's requests were refused, at its place in the file. */
const char *template_refusal(struct template *t, size_t number, const char *why);

/* The next of the notes on what was left out or chosen, as a line with file and place; NULL: there
 * is no other so far. */
const char *template_next_note(struct template *t);
