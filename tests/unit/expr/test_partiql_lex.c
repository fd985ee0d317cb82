#include "partiql/partiql_lex.h"
#include "unit.h"

/* The kinds of a text's tokens as letters, and the position of its last one. */
static const struct {
    const char *text;
    const char *kinds;
} lexed[] = {
    {"", ""},
    {" \t\r\n\v\f", ""},
    {"a _b c9", "nnn"},
    {"\"a b\" \"\" \"x\"\"y\"", "qqq"},
    {"'a' '' 'it''s'", "sss"},
    {"1 12. .5 1.5 1e5 1E+5 1.5e-5 .5e1", "########"},
    {"1.2.3", "##"},
    {"m.5", "n#"},
    {"a.b", "n.n"},
    {"1 e5", "#n"},
    {"1abc", "#n"},
    {"n-1", "n-#"},
    {"? ( ) [ ] { } : , . * ;", "?()[]{}:,.*;"},
    {"<<>>", "<>"},
    {"<< 1 >>", "<#>"},
    {"= <> != < <= > >=", "ooooooo"},
    {"+ - / % || @ ^", "+-ooooo"},
    {"SELECT select SeLeCt", "kkk"},
    {"and OR Not iN is between", "oooooo"},
    {"size Exists count Coalesce trim", "fffff"},
    {"$a a$1 _", "nnn"},
    {"like union", "oo"},
    {"name status year data title", "nnnnn"},
    {"value date key user order", "kkkkk"},
    {"-- all of it", ""},
    {"a -- b\nc", "nn"},
    {"a /* b * / ** */ c", "nn"},
    {"a--b", "n"},
    {"\"select\"", "q"},
};

static char letter(enum partiql_token_kind kind)
{
    switch (kind) {
    case PQ_NAME:
        return 'n';
    case PQ_QUOTED:
        return 'q';
    case PQ_STRING:
        return 's';
    case PQ_NUMBER:
        return '#';
    case PQ_BAG:
        return '<';
    case PQ_BAG_CLOSE:
        return '>';
    case PQ_PLUS:
        return '+';
    case PQ_MINUS:
        return '-';
    case PQ_FUNCTION:
        return 'f';
    default:
        if (kind >= PQ_KEYWORD)
            return 'k';
        return kind >= PQ_OPERATOR ? 'o' : "?()[]{}  :,.*;"[kind - PQ_PARAMETER];
    }
}

START_TEST(cuts_text_into_tokens)
{
    const struct partiql_token *t = partiql_lex(arena, span_of(lexed[_i].text));
    struct buf kinds = buf_in(arena);

    ck_assert_ptr_nonnull(t);
    for (; t->kind != PQ_END; t++)
        buf_add_char(&kinds, letter(t->kind));
    ck_assert_str_eq(buf_text(&kinds), lexed[_i].kinds);
}
END_TEST

static const char *const unlexable[] = {
    "#", "a # b", "'open", "\"open",        "/* open",      "a /* b *", "!",           "a ! b",
    "|", "1e",    "1e+",   "1e99999999999", "1e2147483648", "`1`",      "caf\xc3\xa9", "a & b",
};

START_TEST(knows_what_is_no_token)
{
    ck_assert_ptr_null(partiql_lex(arena, span_of(unlexable[_i])));
}
END_TEST

static const struct {
    const char *text, *word;
} words[] = {
    {"'it''s'", "it's"}, {"\"a\"\"b\"", "a\"b"},
    {"\"\"", ""},        {"SELECT", "select"},
    {"LIKE", "like"},    {"Name", "Name"},
    {"!=", "!="},        {"1E5", "1E5"},
    {"COUNT", "count"},  {"'caf\xc3\xa9'", "caf\xc3\xa9"},
};

START_TEST(says_what_a_token_stands_for)
{
    ck_assert_span_eq(partiql_lex(arena, span_of(words[_i].text))->word, words[_i].word);
}
END_TEST

/* The position of the last token. */
static const struct {
    const char *text;
    unsigned line, column, length;
} places[] = {
    {"a", 1, 1, 1},
    {"  abc", 1, 3, 3},
    {"a\n  bc", 2, 3, 2},
    {"a\r\nb", 2, 1, 1},
    {"a\rb", 2, 1, 1},
    {"a\n\nb", 3, 1, 1},
    {"'\xc3\xa9' b", 1, 5, 1},
    {"'\xc3\xa9\xc3\xa9'", 1, 1, 4},
    {"a /* \n */ \"x\"", 2, 5, 3},
};

START_TEST(counts_lines_and_characters)
{
    const struct partiql_token *t = partiql_lex(arena, span_of(places[_i].text));

    while (t[1].kind != PQ_END)
        t++;
    ck_assert_uint_eq(t->line, places[_i].line);
    ck_assert_uint_eq(t->column, places[_i].column);
    ck_assert_uint_eq(t->length, places[_i].length);
}
END_TEST

START_TEST(every_reserved_word_is_found)
{
    static const char *const some[] = {"absolute", "zone", "tuple", "char_length", "end"};
    struct span word;

    for (size_t i = 0; i < COUNT(some); i++) {
        ck_assert_int_ne(partiql_word_kind(span_of(some[i]), &word), PQ_NAME);
        ck_assert_span_eq(word, some[i]);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, cuts_text_into_tokens, 0, COUNT(lexed));
    tcase_add_loop_test(tc, knows_what_is_no_token, 0, COUNT(unlexable));
    tcase_add_loop_test(tc, says_what_a_token_stands_for, 0, COUNT(words));
    tcase_add_loop_test(tc, counts_lines_and_characters, 0, COUNT(places));
    tcase_add_test(tc, every_reserved_word_is_found);
}

UNIT_TESTS(partiql_lex, add_tests)
