#include "expr/expr_lex.h"

#include "base/ascii.h"
#include "base/attributes.h"

static const struct {
    const char *word;
    enum expr_grammar grammar;
    enum token_kind kind;
} keywords[] = {
    {"AND", GRAMMAR_CONDITION, TOKEN_AND},         {"OR", GRAMMAR_CONDITION, TOKEN_OR},
    {"NOT", GRAMMAR_CONDITION, TOKEN_NOT},         {"IN", GRAMMAR_CONDITION, TOKEN_IN},
    {"BETWEEN", GRAMMAR_CONDITION, TOKEN_BETWEEN}, {"SET", GRAMMAR_UPDATE, TOKEN_SET},
    {"REMOVE", GRAMMAR_UPDATE, TOKEN_REMOVE},      {"ADD", GRAMMAR_UPDATE, TOKEN_ADD},
    {"DELETE", GRAMMAR_UPDATE, TOKEN_DELETE},
};

static const unsigned char symbols[128] = {
    /* enum token_kind; 0 (TOKEN_END): not a symbol */
    ['='] = TOKEN_EQ,    ['<'] = TOKEN_LT,      ['>'] = TOKEN_GT,
    ['+'] = TOKEN_PLUS,  ['-'] = TOKEN_MINUS,   ['('] = TOKEN_OPEN,
    [')'] = TOKEN_CLOSE, ['['] = TOKEN_BRACKET, [']'] = TOKEN_BRACKET_CLOSE,
    [','] = TOKEN_COMMA, ['.'] = TOKEN_DOT,
};

/* The end of the run of bytes from `from` on for which `belongs` is true. */
static size_t end_of_run(struct span s, size_t from, bool (*belongs)(char))
{
    while (from < s.len && belongs(s.at[from]))
        from++;
    return from;
}

static bool same_word(struct span text, const char *upper)
{
    size_t i = 0;

    for (; i < text.len && upper[i]; i++)
        if ((text.at[i] & ~0x20) != upper[i])
            return false;
    return i == text.len && !upper[i];
}

/* The longest operator at the beginning of the text, or a bracket, comma or dot. */
static struct token symbol_token(struct span rest)
{
    unsigned char first = (unsigned char)rest.at[0];
    char second = rest.len > 1 ? rest.at[1] : '\0';
    struct span one = {rest.at, 1}, two = {rest.at, 2};

    if (first == '<' && second == '>')
        return (struct token){TOKEN_NE, two};
    if (first == '<' && second == '=')
        return (struct token){TOKEN_LE, two};
    if (first == '>' && second == '=')
        return (struct token){TOKEN_GE, two};
    if (first >= COUNT(symbols) || !symbols[first]) {
        size_t len = 1;

        /* Takes a whole UTF-8 character if it is valid. */
        if ((unsigned char)rest.at[0] >= 0xC0)
            while (len < rest.len && ((unsigned char)rest.at[len] & 0xC0) == 0x80)
                len++;
        return (struct token){TOKEN_ILLEGAL, {rest.at, len}};
    }
    return (struct token){(enum token_kind)symbols[first], one};
}

static struct token scan_token(struct span rest, enum expr_grammar grammar)
{
    char first;
    size_t len;

    if (rest.len == 0)
        return (struct token){TOKEN_END, rest};
    first = rest.at[0];
    if (ascii_is_letter(first)) {
        struct span text = {rest.at, end_of_run(rest, 1, ascii_is_word)};

        for (size_t i = 0; i < COUNT(keywords); i++)
            if (keywords[i].grammar == grammar && same_word(text, keywords[i].word))
                return (struct token){keywords[i].kind, text};
        return (struct token){TOKEN_IDENTIFIER, text};
    }
    if ((first == '#' || first == ':') && (len = end_of_run(rest, 1, ascii_is_word)) > 1)
        return (struct token){first == '#' ? TOKEN_NAME : TOKEN_VALUE, {rest.at, len}};
    if (ascii_is_digit(first)) /* no leading zeros: 07 is two tokens */
        return (struct token){TOKEN_INTEGER,
                              {rest.at, first == '0' ? 1 : end_of_run(rest, 1, ascii_is_digit)}};
    return symbol_token(rest);
}

struct token expr_lex(struct lexer *lexer)
{
    struct token token;

    lexer->rest = span_from(lexer->rest, end_of_run(lexer->rest, 0, ascii_is_blank));
    token = scan_token(lexer->rest, lexer->grammar);
    lexer->rest = span_from(lexer->rest, token.text.len);
    return token;
}
