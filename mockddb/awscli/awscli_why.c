#include "awscli/awscli_why.h"

#include "awscli/awscli_options.h"
#include "awscli/awscli_why_json.h"
#include "base/ascii.h"
#include "base/dashed.h"
#include "base/distance.h"

#define LISTED 3 /* commands that have an option */
#define NEAR   2 /* bytes: the greatest distance of a mistyped name */

struct line {
    struct arena *arena;
    char *const *words;
    const struct op *op;
    const char *name; /* "get-item" */
    struct awscli_options options;
};

/* --- quotes ----------------------------------------------------------------------------------- */

static const char *curly_quotes(const struct line *l)
{
    static const char *const quotes[] = {"\u201c", "\u201d", "\u2018", "\u2019"};

    for (char *const *word = l->words; *word; word++)
        for (size_t i = 0; i < COUNT(quotes); i++)
            if (strstr(*word, quotes[i]))
                return arena_printf(l->arena,
                                    "%s is a curly quote, which neither shells nor JSON accept as "
                                    "one: type \" and '",
                                    quotes[i]);
    return NULL;
}

/* Characters that word processors and chats make of "--". */
static const char *long_dash(const struct line *l)
{
    static const char *const dashes[] = {"\u2010", "\u2011", "\u2012", "\u2013",
                                         "\u2014", "\u2015", "\u2212"};

    for (char *const *word = l->words; *word; word++)
        for (size_t i = 0; i < COUNT(dashes); i++) {
            const char *dash = *word + (**word == '-');
            size_t len = strlen(dashes[i]);

            if (strncmp(dash, dashes[i], len) == 0 &&
                (ascii_is_letter(dash[len]) || dash[len] == '-' || (dash[len] & 0x80)))
                return arena_printf(l->arena,
                                    "%s is a dash of a word processor: options begin with two "
                                    "hyphens, --",
                                    dashes[i]);
        }
    return NULL;
}

/* Characters that look like blanks but are letters to a shell. */
static const struct {
    const char *text, *name;
} false_blanks[] = {
    {"\u00a0", "a no-break space (U+00A0)"},  {"\u202f", "a narrow space (U+202F)"},
    {"\u3000", "a wide space (U+3000)"},      {"\u200b", "a space without width (U+200B)"},
    {"\ufeff", "a byte order mark (U+FEFF)"},
};

/* Whether the blank joins what should be two words: it is at an end of the word, before an option,
 * or in the name of an option or a command. */
static bool parts_words(const char *word, const char *blank, size_t len)
{
    return blank == word || !blank[len] || blank[len] == '-' ||
           (*word == '-' && blank < word + strcspn(word, "=")) || strncmp(word, "aws", 3) == 0 ||
           strncmp(word, "dynamodb", 8) == 0;
}

static const char *false_blank(const struct line *l)
{
    for (char *const *word = l->words; *word; word++)
        for (size_t i = 0; i < COUNT(false_blanks); i++) {
            const char *blank = strstr(*word, false_blanks[i].text);

            if (blank && parts_words(*word, blank, strlen(false_blanks[i].text)))
                return arena_printf(l->arena, "%s does not separate words: type a plain blank",
                                    false_blanks[i].name);
        }
    return NULL;
}

/* Detects a last word that should have continued the line. */
static const char *line_that_ends(const struct line *l)
{
    const char *last = "";

    for (char *const *word = l->words; *word; word++)
        last = *word;
    if (strcmp(last, "^") == 0)
        return "^ continues lines in cmd.exe only: the line ended there";
    if (*last && !last[strspn(last, " \t")])
        return "a blank follows the \\ at the end of the line: the line ended there";
    return NULL;
}

/* Detects a word that begins with a literal quote. */
static const char *quote_came_through(const struct line *l)
{
    for (char *const *word = l->words; *word; word++)
        if (word[0][0] == '\'' && (word[0][1] == '{' || word[0][1] == '['))
            return "the quote ' came through as part of the text, as in cmd.exe, where only \" "
                   "quotes: write \"{\\\"pk\\\": …}\", or put the JSON into a file, "
                   "file://key.json";
    return NULL;
}

static bool begins_json(const char *word)
{
    const char *start = word + strspn(word, " \t\r\n");

    return *start == '{' || *start == '[';
}

/* Checks the JSON of each option, up to the first with an error. */
static const char *json_of_options(const struct line *l)
{
    const char *option = NULL, *why;

    for (char *const *word = l->words; *word; word++) {
        if (strncmp(*word, "--", 2) == 0)
            option = *word;
        else if (option && begins_json(*word) &&
                 (why = awscli_why_json(l->arena, option + 2, *word)))
            return why;
    }
    return NULL;
}

/* --- options ---------------------------------------------------------------------------------- */

/* The option of a command that corresponds to another command's option. */
static const struct {
    const char *command, *option, *instead;
} others[] = {
    {"query", "--key",
     "a query takes --key-condition-expression; --key is a whole key, for "
     "get-item"},
    {"query", "--condition-expression",
     "a query has --key-condition-expression and "
     "--filter-expression; a condition is for writes"},
    {"scan", "--condition-expression", "a scan has --filter-expression; a condition is for writes"},
    {"scan", "--key-condition-expression", "a scan has no key condition: query has one"},
    {"scan", "--scan-index-forward", "a scan has no order: query has --scan-index-forward"},
    {"scan", "--no-scan-index-forward", "a scan has no order: query has --no-scan-index-forward"},
    {"get-item", "--key-condition-expression",
     "get-item takes --key, the whole key: query "
     "takes a condition"},
    {"get-item", "--index-name", "get-item reads only the table: query reads an index"},
    {"get-item", "--filter-expression", "get-item returns the whole item: query and scan filter"},
    {"put-item", "--key", "put-item takes the whole item with its key, --item"},
    {"update-item", "--item",
     "update-item takes --key and --update-expression; put-item takes "
     "--item"},
    {"update-item", "--filter-expression", "a write has --condition-expression"},
    {"put-item", "--filter-expression", "a write has --condition-expression"},
    {"delete-item", "--filter-expression", "a write has --condition-expression"},
};

static bool has_option(const struct awscli_options *options, const char *name)
{
    for (size_t i = 0; i < options->len; i++)
        if (strcmp(options->at[i].name, name) == 0)
            return true;
    return false;
}

/* The commands that have the option, in words, or NULL. */
static const char *commands_with(const struct line *l, const char *name)
{
    const char *names[LISTED];
    const struct op *op;
    size_t count = 0;

    for (size_t i = 0; (op = op_at(OP_DYNAMODB, i)) && count <= LISTED; i++) {
        const struct awscli_options options = awscli_options_of(l->arena, op);
        struct buf dashed = buf_in(l->arena);

        if (!has_option(&options, name))
            continue;
        dashed_add(&dashed, span_of(op->name));
        if (count < LISTED)
            names[count] = buf_text(&dashed);
        count++;
    }
    if (!count || count > LISTED)
        return count ? "other commands have it" : NULL;
    return count == 1 ? arena_printf(l->arena, "%s has it", names[0])
           : count == 2
               ? arena_printf(l->arena, "%s and %s have it", names[0], names[1])
               : arena_printf(l->arena, "%s, %s and %s have it", names[0], names[1], names[2]);
}

static const char *nearest_option(const struct line *l, const char *name)
{
    const char *best = NULL;
    size_t least = NEAR + 1;

    for (size_t i = 0; i < l->options.len; i++) {
        size_t distance = distance_between(span_of(name), span_of(l->options.at[i].name), NEAR);

        if (distance >= least)
            continue;
        best = l->options.at[i].name;
        least = distance;
    }
    return best;
}

static const char *about_option(const struct line *l, const char *name)
{
    const char *near, *commands;

    for (size_t i = 0; i < COUNT(others); i++)
        if (strcmp(others[i].command, l->name) == 0 && strcmp(others[i].option, name) == 0)
            return others[i].instead;
    for (size_t i = 0; i < l->options.len; i++)
        if (strncmp(l->options.at[i].name, name, strlen(name)) == 0)
            return NULL; /* it is abbreviated */
    if ((near = nearest_option(l, name)))
        return arena_printf(l->arena, "there is no %s; there is %s", name, near);
    if ((commands = commands_with(l, name)))
        return arena_printf(l->arena, "%s has no %s: %s", l->name, name, commands);
    return NULL;
}

static const char *foreign_option(const struct line *l)
{
    for (char *const *word = l->words; *word; word++) {
        const char *name = arena_printf(l->arena, "%.*s", (int)strcspn(*word, "="), *word), *why;

        if (strncmp(name, "--", 2) == 0 && name[2] && !has_option(&l->options, name) &&
            (why = about_option(l, name)))
            return why;
    }
    return NULL;
}

/* --scan-index-forward false */
static const char *value_of_flag(const struct line *l)
{
    for (char *const *word = l->words; *word && word[1]; word++)
        for (size_t i = 0; i < l->options.len; i++) {
            const struct awscli_option *o = &l->options.at[i];

            if (o->takes != AWSCLI_NOTHING || strcmp(o->name, *word) != 0 ||
                (strcmp(word[1], "true") != 0 && strcmp(word[1], "false") != 0))
                continue;
            return o->meaning == AWSCLI_YES && strcmp(word[1], "false") == 0
                       ? arena_printf(l->arena, "%s takes no value: --no-%s says false", o->name,
                                      o->name + 2)
                       : arena_printf(l->arena, "%s takes no value: leave %s out", o->name,
                                      word[1]);
        }
    return NULL;
}

/* A command with a similar name. */
static const char *nearest_command(const struct line *l)
{
    const char *asked = NULL, *best = NULL;
    size_t least = NEAR + 1;
    const struct op *op;

    for (char *const *word = l->words; *word && !asked; word++)
        if (strcmp(*word, "dynamodb") == 0)
            asked = word[1];
    for (size_t i = 0; asked && (op = op_at(OP_DYNAMODB, i)); i++) {
        struct buf name = buf_in(l->arena);
        size_t distance;

        dashed_add(&name, span_of(op->name));
        distance = distance_between(span_of(asked), buf_span(&name), NEAR);
        if (distance >= least)
            continue;
        best = buf_text(&name);
        least = distance;
    }
    if (best && !least) /* the command exists */
        return strcmp(l->words[0], "dynamodb") == 0
                   ? arena_printf(l->arena, "aws is missing: aws dynamodb %s", asked)
                   : NULL;
    return best ? arena_printf(l->arena, "there is no %s; there is %s", asked, best) : NULL;
}

/* --- all -------------------------------------------------------------------------------------- */

typedef const char *look(const struct line *l);

const char *awscli_why(struct arena *a, char *const *words, const struct op *op)
{
    static look *const everywhere[] = {curly_quotes, long_dash, false_blank, line_that_ends,
                                       quote_came_through};
    static look *const in_commands[] = {foreign_option, value_of_flag, json_of_options};
    struct line l = {.arena = a, .words = words, .op = op};
    const char *why = NULL;
    struct buf name = buf_in(a);

    for (size_t i = 0; i < COUNT(everywhere) && !why; i++)
        why = everywhere[i](&l);
    if (why)
        return why;
    if (!op)
        return nearest_command(&l);
    dashed_add(&name, span_of(op->name));
    l.name = buf_text(&name);
    l.options = awscli_options_of(a, op);
    for (size_t i = 0; i < COUNT(in_commands) && !why; i++)
        why = in_commands[i](&l);
    return why;
}

const char *awscli_why_of_token(const char *token)
{
    return begins_json(token) ? "--starting-token takes the NextToken that a command "
                                "printed: a key goes to --exclusive-start-key"
                              : NULL;
}

const char *awscli_why_no_command(const char *text)
{
    static const char *const code[] = {"Command(", ".send(", "boto3",   "await ", "import ",
                                       "Key(\"",   "Key('",  ".query(", ".scan("};
    const char *start = text + strspn(text, " \t\r\n");

    if (begins_json(start))
        return "that is the JSON of a request: aws dynamodb query --cli-input-json '…' takes it, "
               "or "
               "any other command";
    for (size_t i = 0; i < COUNT(code); i++)
        if (strncmp(start, "aws ", 4) != 0 && strstr(start, code[i]))
            return "that is the code of a program: a command is aws dynamodb query --table-name …, "
                   "or has the request's JSON as --cli-input-json '…'";
    return NULL;
}
