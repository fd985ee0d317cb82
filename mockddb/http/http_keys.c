#include "http/http_keys.h"

#include <errno.h>

#include "base/file.h"
#include "base/one_more.h"
#include "base/utf8.h"

#define BLANKS " \t\r"

struct http_keys {
    struct sigv4_keys *at;
    size_t len;
};

const struct sigv4_keys *http_keys_find(const struct http_keys *keys, struct span access_key)
{
    for (size_t i = 0; i < keys->len; i++)
        if (span_is(access_key, keys->at[i].access_key))
            return &keys->at[i];
    return NULL;
}

/* Cuts the next word off the line; NULL at its end. */
static const char *take_word(char **line)
{
    char *word = *line + strspn(*line, BLANKS);
    size_t len = strcspn(word, BLANKS);

    if (!len)
        return NULL;
    *line = word + len + (word[len] != '\0');
    word[len] = '\0';
    return word;
}

static const char *read_line(struct arena *a, struct http_keys *keys, char *line)
{
    struct sigv4_keys found;

    line += strspn(line, BLANKS);
    if (!*line || *line == '#')
        return NULL;
    found.access_key = take_word(&line);
    found.secret_key = take_word(&line);
    found.session_token = found.secret_key ? take_word(&line) : NULL;
    if (!found.secret_key || line[strspn(line, BLANKS)])
        return "expected an access key, a secret and, if there is one, a session token";
    if (http_keys_find(keys, span_of(found.access_key)))
        return "this access key is listed twice";
    keys->at = one_more(a, keys->at, keys->len, sizeof *keys->at);
    keys->at[keys->len++] = found;
    return NULL;
}

static const char *read_lines(struct arena *a, struct http_keys *keys, const char *path, char *text)
{
    for (int number = 1; *text; number++) {
        char *line = text;
        const char *wrong;

        text += strcspn(text, "\n");
        if (*text)
            *text++ = '\0';
        if ((wrong = read_line(a, keys, line)))
            return arena_printf(a, "%s, line %d: %s", path, number, wrong);
    }
    return keys->len ? NULL : arena_printf(a, "%s has no keys", path);
}

const struct http_keys *http_keys_load(struct arena *a, const char *path, const char **problem)
{
    struct http_keys *keys = arena_alloc(a, sizeof *keys);
    struct span text;

    if (!file_read(a, path, &text))
        *problem = arena_printf(a, "cannot read %s: %s", path, strerror(errno));
    else if (span_has(text, '\0'))
        *problem = arena_printf(a, "%s is no text", path);
    else if (utf8_begins_with_mark(text))
        *problem = arena_printf(a, "%s: " UTF8_MARK_PROBLEM, path);
    else
        *problem = read_lines(a, keys, path, arena_text(a, text));
    return *problem ? NULL : keys;
}
