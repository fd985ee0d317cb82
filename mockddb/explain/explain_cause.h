/* explain_cause.h: the words for each cause of a refusal (model/error.h), and what they share. A
 * function of explain_SUBJECT.c finds the reason; the rest is a text in explain_error.c. */
#pragma once

#include "explain/inquiry.h"
#include "expr/expr_lex.h"

/* The members that define placeholders. */
#define EXPLAIN_NAMES  "ExpressionAttributeNames"
#define EXPLAIN_VALUES "ExpressionAttributeValues"

/* Two lines below the reason: the parameter as it was typed, and marks under a part of it. */
void explain_expression_mark(struct inquiry *q, const char *parameter, struct span text,
                             struct span place);

/* JSON: one of the request's maps of placeholders without the entry `from` (to at NULL), or with it
 * under another name, and with more members. */
struct span explain_expression_map(struct inquiry *q, const char *map, struct span from,
                                   struct span to, struct span more);
#define explain_expression_map_with(q, map, more) \
    explain_expression_map((q), (map), (struct span){NULL, 0}, (struct span){NULL, 0}, (more))

/* What an entry of the request was refused for. */
struct refusal {
    const struct error_why *why;
    struct span place;     /* the error's, if it is in one of the entry's expressions */
    const char *parameter; /* that expression: "FilterExpression"; NULL: the place is unknown */
    enum expr_grammar grammar;
    struct span text; /* of the expression */
};

/* The words for a cause: finds the reason. */
typedef void explain_words(struct inquiry *q, const struct refusal *r);

/* Marks its place, if it is known. */
void explain_expression_mark_refusal(struct inquiry *q, const struct refusal *r);

/* Proposes the refused expression with other words for a part of it. */
void explain_expression_mend(struct inquiry *q, const struct refusal *r, struct span part,
                             struct span to);

/* Finds the place of the error in the entry's expressions. */
struct refusal explain_expression_refusal(struct inquiry *q, const struct error_why *why);

explain_words explain_expression_reserved_word, explain_expression_undefined,
    explain_expression_operand_count, explain_expression_operand_type,
    explain_expression_bound_order, explain_expression_type_name, explain_expression_section_twice,
    explain_expression_unused, explain_expression_placeholder, explain_expression_left_out,
    explain_expression_swapped, explain_expression_lacks, explain_expression_parent,
    explain_expression_added;

/* Marks the place of an UpdateExpression that names the attribute, which is the operand. */
explain_words explain_expression_mark_name;

/* Places at which an expression cannot continue. */
explain_words explain_syntax, explain_syntax_function, explain_syntax_misplaced;

/* Tables and indexes: those that do not exist, and descriptions of tables. */
explain_words explain_names_table, explain_names_index, explain_names_undefined,
    explain_names_unused, explain_names_no_units;

/* Values that cannot be, too many of them or too large ones, and the older parameters. */
explain_words explain_value_number, explain_value_older_count, explain_value_older_type,
    explain_value_json, explain_value_size, explain_value_word, explain_value_twice;

/* Reads whose conditions do not fit the key of what they ask. */
explain_words explain_condition_stranger, explain_condition_missing, explain_condition_type,
    explain_condition_twice, explain_condition_filter, explain_condition_held,
    explain_condition_start;

/* Keys and items that do not fit the schema. */
explain_words explain_key_stranger, explain_key_missing, explain_key_type, explain_key_index_type;

/* The item or key that the entry sends: Key, Item, or the entry itself. */
bool explain_key_sent(struct inquiry *q, struct item *out);

/* Puts a value into *sent that mends the fault; the error of what is sent then. */
const struct error *explain_key_mended(struct inquiry *q, const struct error_why *why,
                                       struct item *sent);

/* Whether a value looks typed twice: {"M": {"S": {"S": …}}}, or a map with "N" and digits. A
 * document client was given a value with its type. */
bool explain_key_is_typed_twice(const struct attr *value);

/* A Query of a table or index by one attribute. */
void explain_key_propose_query(struct inquiry *q, const struct table *t, const struct index *ix,
                               struct span name, const struct attr *value);

/* --- statements of PartiQL --- */

/* The entry's statement with its table; false: it cannot be read. */
struct statement;
bool explain_statement_read(struct inquiry *q, struct statement *s);

/* Finds the reason in the form of the entry's statement, where its error has no place. */
void explain_statement_form(struct inquiry *q);

explain_words explain_statement_mark, explain_statement_all, explain_statement_place,
    explain_statement_value, explain_statement_lacks, explain_statement_parameters,
    explain_statement_order, explain_statement_type, explain_statement_key;

/* A value in double quotes, which is an attribute's name, or IS NULL, which finds NULL alone; NULL:
 * the statement has neither. */
const char *explain_statement_where(struct inquiry *q);

/* Proposes begins_with of this attribute for its = in the statement. */
void explain_statement_begins(struct inquiry *q, struct span name);

/* A word that something is compared with, without quotes; len 0: no such word. */
struct span explain_statement_word(struct inquiry *q);

/* The table's name as it is written in the statement; at NULL: it is not found. */
struct span explain_statement_table(struct inquiry *q, struct span name);

/* Proposes the statement with other words at a place; nothing if its `at` is NULL. */
void explain_statement_propose(struct inquiry *q, struct span place, const char *instead);
