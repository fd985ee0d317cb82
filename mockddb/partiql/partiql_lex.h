/* partiql_lex.h: the text of a PartiQL statement → tokens.
 *
 * The whole statement is split before it is parsed, as in the service: an invalid character
 * anywhere hides every other error. Source: developer guide, "PartiQL";
 * docs/behaviour/partiql.md. */
#pragma once

#include "base/arena.h"

enum partiql_token_kind {
    PQ_END,
    PQ_NAME,   /* a bare identifier */
    PQ_QUOTED, /* an identifier in double quotes */
    PQ_STRING,
    PQ_NUMBER,
    PQ_PARAMETER, /* ? */
    PQ_OPEN,      /* ( */
    PQ_CLOSE,
    PQ_BRACKET, /* [ */
    PQ_BRACKET_CLOSE,
    PQ_BRACE, /* { */
    PQ_BRACE_CLOSE,
    PQ_BAG, /* << */
    PQ_BAG_CLOSE,
    PQ_COLON,
    PQ_COMMA,
    PQ_DOT,
    PQ_STAR,
    PQ_SEMICOLON,
    PQ_OPERATOR, /* an operator without a use in this language, such as % or LIKE */
    PQ_EQ,
    PQ_NE, /* <> and != */
    PQ_LT,
    PQ_LE,
    PQ_GT,
    PQ_GE,
    PQ_PLUS,
    PQ_MINUS,
    PQ_AND,
    PQ_OR,
    PQ_NOT,
    PQ_IN,
    PQ_IS,
    PQ_BETWEEN,
    PQ_KEYWORD,  /* a reserved word without a use in this language */
    PQ_FUNCTION, /* a reserved word that names a function */
    PQ_ALL,
    PQ_AS,
    PQ_ASC,
    PQ_BY,
    PQ_DELETE,
    PQ_DESC,
    PQ_FALSE,
    PQ_FROM,
    PQ_GROUP,
    PQ_HAVING,
    PQ_INSERT,
    PQ_INTO,
    PQ_LIMIT,
    PQ_MISSING,
    PQ_MODIFIED,
    PQ_NEW,
    PQ_NULL,
    PQ_OLD,
    PQ_ORDER,
    PQ_REMOVE,
    PQ_RETURNING,
    PQ_SELECT,
    PQ_SET,
    PQ_TRUE,
    PQ_UPDATE,
    PQ_VALUE,
    PQ_WHERE
};

struct partiql_token {
    enum partiql_token_kind kind;
    struct span text; /* as written */
    struct span word; /* reserved words and operators: in lower case; quoted: the text between the
                       * quotes; else as written */
    unsigned line, column; /* of its first character, counted from 1 */
    unsigned length;       /* in characters */
};

/* All tokens of the text, a PQ_END last; NULL if a character is not part of a token. */
struct partiql_token *partiql_lex(struct arena *a, struct span text);

/* The text from such a character on; at NULL if all are valid. */
struct span partiql_lex_stray(struct arena *a, struct span text);

/* PQ_NAME for words that are not reserved; *word is a reserved word in lower case. */
enum partiql_token_kind partiql_word_kind(struct span text, struct span *word);

/* Whether a reserved word names a type; *types is the set (1 << enum attr_type) of attribute types
 * that it means, 0 for a type that no attribute has. */
bool partiql_type_of_word(struct span word, unsigned *types);

/* Whether two reserved words together name a type; no attribute has such a type. */
bool partiql_completes_type(struct span first, struct span second);
