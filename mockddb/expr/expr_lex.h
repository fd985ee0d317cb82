/* expr_lex.h: expression text → tokens.
 *
 * Never fails: a character that begins no token becomes a TOKEN_ILLEGAL. */
#pragma once

#include "base/span.h"

/* Which words are keywords; keywords of other grammars are ordinary identifiers. */
enum expr_grammar { GRAMMAR_CONDITION, GRAMMAR_PROJECTION, GRAMMAR_UPDATE };

enum token_kind {
    TOKEN_END,
    TOKEN_ILLEGAL,
    TOKEN_IDENTIFIER,
    TOKEN_NAME,  /* #name */
    TOKEN_VALUE, /* :value */
    TOKEN_INTEGER,
    TOKEN_EQ,
    TOKEN_NE,
    TOKEN_LT,
    TOKEN_LE,
    TOKEN_GT,
    TOKEN_GE,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_OPEN,    /* ( */
    TOKEN_CLOSE,   /* ) */
    TOKEN_BRACKET, /* [ */
    TOKEN_BRACKET_CLOSE,
    TOKEN_COMMA,
    TOKEN_DOT,
    TOKEN_AND,
    TOKEN_OR,
    TOKEN_NOT,
    TOKEN_BETWEEN,
    TOKEN_IN,
    TOKEN_SET,
    TOKEN_REMOVE,
    TOKEN_ADD,
    TOKEN_DELETE
};

struct token {
    enum token_kind kind;
    struct span text; /* as written; empty at the end of the text */
};

struct lexer {
    enum expr_grammar grammar;
    struct span rest; /* the text that is not read yet */
};

/* The next token; at the end TOKEN_END, any number of times. */
struct token expr_lex(struct lexer *lexer);
