#include "partiql/partiql_lex.h"

#include "base/ascii.h"
#include "base/buf.h"

#define MAX_EXPONENT 2147483647 /* of a number; a greater one is not a number for the service */

struct partiql_lexer {
    struct arena *arena;
    struct span rest; /* the text that is not read yet */
    unsigned line, column;
    bool after_return; /* the last character was CR: an LF then does not begin another line */
};

/* A longer symbol comes before its prefixes. */
static const struct {
    const char *text;
    enum partiql_token_kind kind;
} symbols[] = {
    {"<<", PQ_BAG},  {">>", PQ_BAG_CLOSE},  {"<>", PQ_NE},       {"!=", PQ_NE},
    {"<=", PQ_LE},   {">=", PQ_GE},         {"||", PQ_OPERATOR}, {"<", PQ_LT},
    {">", PQ_GT},    {"=", PQ_EQ},          {"+", PQ_PLUS},      {"-", PQ_MINUS},
    {"*", PQ_STAR},  {"/", PQ_OPERATOR},    {"%", PQ_OPERATOR},  {"@", PQ_OPERATOR},
    {"(", PQ_OPEN},  {")", PQ_CLOSE},       {"[", PQ_BRACKET},   {"]", PQ_BRACKET_CLOSE},
    {"{", PQ_BRACE}, {"}", PQ_BRACE_CLOSE}, {":", PQ_COLON},     {",", PQ_COMMA},
    {".", PQ_DOT},   {"?", PQ_PARAMETER},   {";", PQ_SEMICOLON}, {"^", PQ_OPERATOR},
};

static bool is_letter(char c)
{
    return ascii_is_letter(c) || c == '_' || c == '$';
}

/* Continuation bytes of UTF-8 do not count. */
static bool begins_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

/* Takes `len` bytes off the rest and counts lines and columns. */
static struct span take_text(struct partiql_lexer *l, size_t len)
{
    struct span taken = {l->rest.at, len};

    for (size_t i = 0; i < len; i++) {
        char c = taken.at[i];

        if (c == '\n' && l->after_return) {
            l->after_return = false;
            continue;
        }
        l->after_return = c == '\r';
        if (c == '\n' || c == '\r') {
            l->line++;
            l->column = 1;
        } else {
            l->column += begins_character(c);
        }
    }
    l->rest = span_from(l->rest, len);
    return taken;
}

static bool starts_with(const struct partiql_lexer *l, const char *text)
{
    return span_starts_with(l->rest, span_of(text));
}

/* Length of the comment that begins here; 0 if it is not closed. */
static size_t comment_length(const struct partiql_lexer *l)
{
    size_t len = 2;

    if (starts_with(l, "--")) {
        while (len < l->rest.len && l->rest.at[len] != '\n' && l->rest.at[len] != '\r')
            len++;
        return len;
    }
    for (; len + 1 < l->rest.len; len++)
        if (l->rest.at[len] == '*' && l->rest.at[len + 1] == '/')
            return len + 2;
    return 0;
}

/* Skips white space and comments; false if a comment is not closed. */
static bool skip_blanks(struct partiql_lexer *l)
{
    for (;;) {
        size_t len = 0;

        if (l->rest.len && ascii_is_space(l->rest.at[0]))
            len = 1;
        else if (!starts_with(l, "--") && !starts_with(l, "/*"))
            return true;
        else if (!(len = comment_length(l)))
            return false;
        take_text(l, len);
    }
}

/* --- one token ------------------------------------------------------------------------------ */

static size_t run_of_digits(struct span s, size_t from)
{
    while (from < s.len && ascii_is_digit(s.at[from]))
        from++;
    return from;
}

/* The end of the exponent whose `e` is at `from`, in a number with `decimals` digits after its
 * point; 0 if it is malformed or too large: the service computes the number of digits less the
 * exponent in 32 bits. */
static size_t exponent_end(struct span s, size_t from, size_t decimals)
{
    size_t first = from + 1, end;
    bool negative = first < s.len && s.at[first] == '-';
    int64_t value = 0;

    if (first < s.len && (s.at[first] == '+' || s.at[first] == '-'))
        first++;
    end = run_of_digits(s, first);
    for (size_t i = first; i < end && value <= MAX_EXPONENT; i++)
        value = value * 10 + (s.at[i] - '0');
    if (end == first || value > MAX_EXPONENT)
        return 0;
    return negative && value + (int64_t)decimals > INT32_MAX ? 0 : end;
}

/* Length of the text in quotes, 0 if they are not closed; *word has doubled quotes made single. */
static size_t quoted_length(struct partiql_lexer *l, struct span *word)
{
    struct buf out = buf_in(l->arena);
    char quote = l->rest.at[0];

    for (size_t i = 1; i < l->rest.len; i++) {
        if (l->rest.at[i] == quote) {
            if (i + 1 == l->rest.len || l->rest.at[i + 1] != quote) {
                *word = out.len ? buf_span(&out) : (struct span){l->rest.at + i, 0};
                return i + 1;
            }
            i++;
        }
        buf_add_char(&out, l->rest.at[i]);
    }
    return 0;
}

static size_t word_length(struct span s)
{
    size_t len = 1;

    while (len < s.len && (is_letter(s.at[len]) || ascii_is_digit(s.at[len])))
        len++;
    return len;
}

/* Sets kind and word of the token that begins here; returns its length, 0 if it is invalid. */
static size_t recognize_token(struct partiql_lexer *l, struct partiql_token *t)
{
    struct span s = l->rest;
    size_t len;

    t->word = (struct span){NULL, 0};
    if (!s.len) {
        t->kind = PQ_END;
        return 0;
    }
    if (is_letter(s.at[0])) {
        len = word_length(s);
        t->kind = partiql_word_kind((struct span){s.at, len}, &t->word);
        return len;
    }
    if (ascii_is_digit(s.at[0]) || (s.at[0] == '.' && s.len > 1 && ascii_is_digit(s.at[1]))) {
        size_t end, decimals = 0;

        t->kind = PQ_NUMBER;
        end = run_of_digits(s, 0);
        if (end < s.len && s.at[end] == '.') {
            size_t point = end;

            end = run_of_digits(s, point + 1);
            decimals = end - point - 1;
        }
        if (end < s.len && (s.at[end] == 'e' || s.at[end] == 'E'))
            return exponent_end(s, end, decimals);
        return end;
    }
    if (s.at[0] == '\'' || s.at[0] == '"') {
        t->kind = s.at[0] == '"' ? PQ_QUOTED : PQ_STRING;
        return quoted_length(l, &t->word);
    }
    for (size_t i = 0; i < COUNT(symbols); i++)
        if (starts_with(l, symbols[i].text)) {
            t->kind = symbols[i].kind;
            return strlen(symbols[i].text);
        }
    return 0;
}

static bool next_token(struct partiql_lexer *l, struct partiql_token *t)
{
    size_t len;
    unsigned count = 0;

    if (!skip_blanks(l))
        return false;
    t->line = l->line;
    t->column = l->column;
    len = recognize_token(l, t);
    if (!len && t->kind != PQ_END)
        return false;
    t->text = take_text(l, len);
    if (t->kind != PQ_QUOTED && t->kind != PQ_STRING && !t->word.at)
        t->word = t->text;
    for (size_t i = 0; i < t->text.len; i++)
        count += begins_character(t->text.at[i]);
    t->length = count;
    return true;
}

struct span partiql_lex_stray(struct arena *a, struct span text)
{
    struct partiql_lexer l = {.arena = a, .rest = text, .line = 1, .column = 1};
    struct partiql_token t;

    do {
        t.kind = PQ_NAME;
        if (!next_token(&l, &t))
            return l.rest;
    } while (t.kind != PQ_END);
    return (struct span){NULL, 0};
}

struct partiql_token *partiql_lex(struct arena *a, struct span text)
{
    struct partiql_lexer l = {.arena = a, .rest = text, .line = 1, .column = 1};
    struct buf tokens = buf_in(a);
    struct partiql_token t;

    do {
        t.kind = PQ_NAME; /* until its kind is known */
        if (!next_token(&l, &t))
            return NULL;
        buf_add(&tokens, &t, sizeof t);
    } while (t.kind != PQ_END);
    return (struct partiql_token *)(void *)tokens.at;
}
