#include "base/ascii.h"
#include "base/words.h"
#include "partiql/partiql_lex.h"

#include "model/attr.h"

#include <stdlib.h>

#define LONGEST_WORD 20

/* Words that must be quoted if used as a name, in byte order: those with a kind of their own, … */
static const struct reserved {
    const char *word;
    enum partiql_token_kind kind;
} reserved_words[] = {
    {"all", PQ_ALL},         {"and", PQ_AND},
    {"as", PQ_AS},           {"asc", PQ_ASC},
    {"between", PQ_BETWEEN}, {"by", PQ_BY},
    {"delete", PQ_DELETE},   {"desc", PQ_DESC},
    {"except", PQ_OPERATOR}, {"false", PQ_FALSE},
    {"from", PQ_FROM},       {"group", PQ_GROUP},
    {"having", PQ_HAVING},   {"in", PQ_IN},
    {"insert", PQ_INSERT},   {"intersect", PQ_OPERATOR},
    {"into", PQ_INTO},       {"is", PQ_IS},
    {"like", PQ_OPERATOR},   {"limit", PQ_LIMIT},
    {"missing", PQ_MISSING}, {"modified", PQ_MODIFIED},
    {"new", PQ_NEW},         {"not", PQ_NOT},
    {"null", PQ_NULL},       {"old", PQ_OLD},
    {"or", PQ_OR},           {"order", PQ_ORDER},
    {"remove", PQ_REMOVE},   {"returning", PQ_RETURNING},
    {"select", PQ_SELECT},   {"set", PQ_SET},
    {"true", PQ_TRUE},       {"union", PQ_OPERATOR},
    {"update", PQ_UPDATE},   {"value", PQ_VALUE},
    {"where", PQ_WHERE},
};

/* … and the others. */
static const struct span keywords[LONGEST_WORD + 1] = {
    [2] = SPAN_LIT_INIT("at do go no of on to"),
    [3] = SPAN_LIT_INIT("add any are bit dec end for get int key let pad sql"),
    [4] = SPAN_LIT_INIT(
        "blob bool case cast char clob date drop else exec full goto int2 int4 int8 join last "
        "left next only open read real rows some then time user view when with work zone"),
    [5] = SPAN_LIT_INIT(
        "alter begin check close cross fetch first float found grant index inner input level "
        "local match names nchar outer pivot prior right space table tuple usage using write"),
    [6] = SPAN_LIT_INIT(
        "action bigint column commit create cursor domain double escape global module offset "
        "option output public revoke schema scroll string struct symbol unique values"),
    [7] = SPAN_LIT_INIT(
        "boolean cascade catalog collate connect convert current decimal declare default "
        "execute extract foreign integer natural nothing numeric partial prepare primary "
        "section session sqlcode unknown unpivot varchar varying"),
    [8] = SPAN_LIT_INIT(
        "absolute allocate can_cast cascaded conflict continue deferred describe distinct "
        "external identity integer2 integer4 integer8 interval language national overlaps "
        "position preserve relative restrict rollback smallint sqlerror sqlstate whenever"),
    [9] = SPAN_LIT_INIT(
        "assertion character collation exception immediate indicator initially isolation "
        "precision procedure temporary timestamp translate"),
    [10] = SPAN_LIT_INIT(
        "connection constraint deallocate deferrable descriptor disconnect privileges "
        "references"),
    [11] = SPAN_LIT_INIT("constraints diagnostics insensitive system_user transaction translation"),
    [12] = SPAN_LIT_INIT("current_date current_time current_user session_user"),
    [13] = SPAN_LIT_INIT("authorization corresponding"),
    [17] = SPAN_LIT_INIT("can_lossless_cast current_timestamp"),
};
static const struct span functions[LONGEST_WORD + 1] = {
    [3] = SPAN_LIT_INIT("avg bag max min sum"), [4] = SPAN_LIT_INIT("list sexp size trim"),
    [5] = SPAN_LIT_INIT("count lower upper"),   [6] = SPAN_LIT_INIT("exists nullif"),
    [8] = SPAN_LIT_INIT("coalesce date_add"),   [9] = SPAN_LIT_INIT("date_diff substring"),
    [10] = SPAN_LIT_INIT("bit_length"),         [11] = SPAN_LIT_INIT("char_length"),
    [12] = SPAN_LIT_INIT("octet_length"),       [16] = SPAN_LIT_INIT("character_length"),
};

static int compare_word(const void *word, const void *row)
{
    return span_compare(*(const struct span *)word, span_of(((const struct reserved *)row)->word));
}

enum partiql_token_kind partiql_word_kind(struct span text, struct span *word)
{
    const struct reserved *found;
    char lower[LONGEST_WORD];
    struct span key = {lower, text.len};

    if (text.len > sizeof lower)
        return PQ_NAME;
    for (size_t i = 0; i < text.len; i++)
        lower[i] = ascii_lower(text.at[i]);
    found = bsearch(&key, reserved_words, COUNT(reserved_words), sizeof *found, compare_word);
    if (found) {
        *word = span_of(found->word);
        return found->kind;
    }
    if ((*word = words_find(keywords[text.len], key)).at)
        return PQ_KEYWORD;
    return (*word = words_find(functions[text.len], key)).at ? PQ_FUNCTION : PQ_NAME;
}

#define T(type) (1U << (ATTR_##type))

bool partiql_type_of_word(struct span word, unsigned *types)
{
    static const struct {
        const char *word;
        unsigned types;
    } type_words[] = {
        {"null", T(NULL)},   {"missing", 0},
        {"bool", T(BOOL)},   {"boolean", T(BOOL)},
        {"smallint", T(N)},  {"integer", T(N)},
        {"int", T(N)},       {"int2", T(N)},
        {"integer2", T(N)},  {"int4", T(N)},
        {"integer4", T(N)},  {"int8", T(N)},
        {"integer8", T(N)},  {"bigint", T(N)},
        {"float", T(N)},     {"real", T(N)},
        {"decimal", T(N)},   {"dec", T(N)},
        {"numeric", T(N)},   {"char", T(S)},
        {"character", T(S)}, {"varchar", T(S)},
        {"string", T(S)},    {"symbol", 0},
        {"blob", T(B)},      {"clob", 0},
        {"struct", T(M)},    {"tuple", T(M)},
        {"list", T(L)},      {"sexp", 0},
        {"timestamp", 0},    {"date", 0},
        {"time", 0},         {"bag", T(SS) | T(NS) | T(BS)},
        {"any", 0},
    };

    for (size_t i = 0; i < COUNT(type_words); i++)
        if (span_is(word, type_words[i].word)) {
            *types = type_words[i].types;
            return true;
        }
    return false;
}

bool partiql_completes_type(struct span first, struct span second)
{
    return (span_is(first, "double") && span_is(second, "precision")) ||
           (span_is(first, "character") && span_is(second, "varying"));
}
