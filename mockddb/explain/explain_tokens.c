#include "explain/explain_entry.h"

#include "base/ascii.h"

#define AHEAD 6 /* TOKEN_ENDs */

struct token *explain_tokens(struct inquiry *q, enum expr_grammar grammar, struct span text)
{
    struct lexer ahead = {grammar, text}, lexer = ahead;
    struct token *all;
    size_t count = 0;

    while (text.at && expr_lex(&ahead).kind != TOKEN_END)
        count++;
    all = arena_array(q->arena, count + AHEAD, sizeof *all);
    for (size_t i = 0; i < count + AHEAD; i++)
        all[i] = i < count ? expr_lex(&lexer) : (struct token){TOKEN_END, {span_end(text), 0}};
    return all;
}

bool explain_tokens_name(const struct inquiry *q, const struct token *t, struct span attribute)
{
    const wire_node *names = wire_get(q->entry, "ExpressionAttributeNames");

    return span_equal(t->text, attribute) ||
           (t->kind == TOKEN_NAME &&
            span_equal(wire_text(wire_get_span(names, t->text)), attribute));
}

static bool is_of_word(char c, const char *marks)
{
    return ascii_is_digit(c) || ascii_is_letter(c) || (c && strchr(marks, c));
}

struct span explain_tokens_around(struct span text, struct span place, const char *marks)
{
    const char *from = place.at, *to = span_end(place);

    while (from > text.at && is_of_word(from[-1], marks))
        from--;
    while (to < span_end(text) && is_of_word(*to, marks))
        to++;
    return (struct span){from, (size_t)(to - from)};
}

const char *explain_tokens_instead(struct inquiry *q, const struct foreign *rows, size_t count,
                                   struct span word)
{
    char *lower = arena_printf(q->arena, " %s ", inquiry_lower(q, word).at);

    for (char *at = lower + 1; *at && at[1]; at++)
        *at = (char)(*at == ' ' ? '_' : *at);
    for (size_t i = 0; i < count && word.len; i++)
        if (strstr(rows[i].words, lower))
            return rows[i].instead;
    return NULL;
}
