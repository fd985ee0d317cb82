#include "awscli/awscli_shell.h"
#include "base/ascii.h"
#include "base/one_more.h"
#include "base/text_place.h"

struct shell_reader {
    struct arena *arena;
    struct span text;
    size_t at;
    const char *home;
    struct awscli_lines *out;
    char **words; /* of the current command, up to a NULL */
    size_t count;
    struct buf word;
    bool in_word; /* a word has begun, even if it is empty */
};

static char peek_char(const struct shell_reader *r, size_t ahead)
{
    return r->at + ahead < r->text.len ? r->text.at[r->at + ahead] : '\0';
}

static void end_word(struct shell_reader *r)
{
    bool prompt = !r->count && r->word.len == 1 && r->word.at[0] == '$'; /* a pasted prompt */

    if (r->in_word && !prompt) {
        r->words = one_more(r->arena, r->words, r->count + 1, sizeof *r->words);
        r->words[r->count++] = arena_text(r->arena, buf_span(&r->word));
        r->words[r->count] = NULL;
    }
    r->word = buf_in(r->arena);
    r->in_word = false;
}

static void begin_command(struct shell_reader *r)
{
    r->count = 0;
    r->words = one_more(r->arena, NULL, 0, sizeof *r->words);
    r->words[0] = NULL;
}

static void end_command(struct shell_reader *r)
{
    struct awscli_lines *out = r->out;

    end_word(r);
    if (!r->count)
        return;
    out->at = one_more(r->arena, out->at, out->len, sizeof *out->at);
    out->at[out->len++] = r->words;
    begin_command(r);
}

static const char *for_a_shell(struct shell_reader *r, const char *what)
{
    return arena_printf(r->arena, "%s is for a shell: %s", what,
                        *what == '$' || *what == '`' ? "write its value instead"
                                                     : "give the command alone");
}

/* Refuses $NAME, ${NAME}, $(…) and $'…'; a lone $ is an ordinary character. */
static const char *check_dollar(struct shell_reader *r)
{
    char next = peek_char(r, 1);
    size_t len = 1;

    if (next == '(' || next == '{' || next == '\'')
        return for_a_shell(r, next == '(' ? "$(…)" : next == '{' ? "${…}" : "$'…'");
    while (ascii_is_word(peek_char(r, len)))
        len++;
    if (len == 1)
        return NULL;
    return for_a_shell(r, arena_printf(r->arena, "%.*s", (int)len, r->text.at + r->at));
}

static const char *read_single(struct shell_reader *r)
{
    const char *start = r->text.at + r->at + 1, *end;

    end = memchr(start, '\'', r->text.len - r->at - 1);
    if (!end)
        return "a quote (') is not closed";
    buf_add(&r->word, start, (size_t)(end - start));
    r->at = (size_t)(end - r->text.at) + 1;
    return NULL;
}

static const char *read_double(struct shell_reader *r)
{
    const char *problem;
    char c;

    for (r->at++; (c = peek_char(r, 0)) != '"'; r->at++) {
        if (r->at >= r->text.len)
            return "a quote (\") is not closed";
        if (c == '`')
            return for_a_shell(r, "`…`");
        if (c == '$' && (problem = check_dollar(r)))
            return problem;
        if (c == '\\' && ascii_is_one_of(peek_char(r, 1), "$`\"\\\n")) {
            c = peek_char(r, 1);
            r->at++;
            if (c == '\n')
                continue;
        }
        buf_add_char(&r->word, c);
    }
    r->at++;
    return NULL;
}

/* Skips the line end after a \, a ` or a ^, if there is one: the line continues. */
static bool skip_line_end(struct shell_reader *r)
{
    size_t end = 1 + (peek_char(r, 1) == '\r');

    if (peek_char(r, end) != '\n')
        return false;
    r->at += end + 1;
    return true;
}

/* Whether there are only blanks between such a character and the end of its line. */
static bool has_blanks_behind(const struct shell_reader *r)
{
    size_t i = 1;

    while (peek_char(r, i) == ' ' || peek_char(r, i) == '\t')
        i++;
    return i > 1 && (peek_char(r, i) == '\n' || peek_char(r, i) == '\r');
}

/* The characters that continue a line at its end: \, cmd.exe's ^ and PowerShell's `. */
static const char *read_continuation(struct shell_reader *r)
{
    char c = peek_char(r, 0);

    if (skip_line_end(r))
        return NULL;
    if (has_blanks_behind(r))
        return arena_printf(r->arena,
                            "line %zu: a blank follows the %c at its end, so that it does not "
                            "continue: remove the blank",
                            text_place_of(r->text, r->text.at + r->at).line, c);
    if (c == '`')
        return for_a_shell(r, "`…`");
    if (c == '\\' && peek_char(r, 1))
        r->at++;
    buf_add_char(&r->word, peek_char(r, 0));
    r->in_word = true;
    r->at++;
    return NULL;
}

/* Reads one unquoted character, or what it begins. */
static const char *read_one(struct shell_reader *r)
{
    char c = peek_char(r, 0);
    const char *problem;

    if (c == '\'' || c == '"') {
        r->in_word = true;
        return c == '"' ? read_double(r) : read_single(r);
    }
    if (c == '\\' || c == '^' || c == '`') {
        return read_continuation(r);
    } else if (c == '\n' || c == ';' || (c == '&' && peek_char(r, 1) == '&')) {
        end_command(r);
        r->at += c == '&' ? 2 : 1;
    } else if (c == ' ' || c == '\t' || c == '\r') {
        end_word(r);
        r->at++;
    } else if (c == '#' && !r->in_word) {
        while (r->at < r->text.len && r->text.at[r->at] != '\n')
            r->at++;
    } else if (ascii_is_one_of(c, "|<>&()")) {
        return for_a_shell(r, arena_printf(r->arena, "%c", c));
    } else if (c == '$' && (problem = check_dollar(r))) {
        return problem;
    } else {
        if (c == '~' && !r->in_word && r->home &&
            (!peek_char(r, 1) || ascii_is_one_of(peek_char(r, 1), "/ \t\r\n")))
            buf_add_text(&r->word, r->home);
        else
            buf_add_char(&r->word, c);
        r->in_word = true;
        r->at++;
    }
    return NULL;
}

const char *awscli_shell_read(struct arena *a, struct span text, const char *home,
                              struct awscli_lines *out)
{
    struct shell_reader r = {.arena = a, .text = text, .home = home, .out = out, .word = buf_in(a)};
    const char *problem;

    *out = (struct awscli_lines){NULL, 0};
    begin_command(&r);
    while (r.at < text.len) {
        if (!text.at[r.at])
            return "there is a NUL byte in it";
        if ((problem = read_one(&r)))
            return problem;
    }
    end_command(&r);
    return NULL;
}
