#include "awscli/awscli_value.h"

#include <errno.h>
#include <stdlib.h>

#include "awscli/awscli_shorthand.h"
#include "base/base64.h"
#include "base/file.h"
#include "wire/json.h"

/* --- files ------------------------------------------------------------------------------------ */

static const char *path_of(struct arena *a, const char *path)
{
    const char *home = getenv("HOME");

    return path[0] == '~' && path[1] == '/' && home ? arena_printf(a, "%s%s", home, path + 1)
                                                    : path;
}

/* Text as Python reads it: a line ends with \n. */
static const char *as_text(struct arena *a, struct span bytes)
{
    struct buf out = buf_in(a);

    for (size_t i = 0; i < bytes.len; i++) {
        bool pair = bytes.at[i] == '\r' && i + 1 < bytes.len && bytes.at[i + 1] == '\n';

        if (!pair)
            buf_add_char(&out, bytes.at[i] == '\r' ? '\n' : bytes.at[i]);
    }
    return buf_text(&out);
}

static bool is_binary(const char *value)
{
    return strncmp(value, "fileb://", 8) == 0;
}

bool awscli_value_is_file(const char *value)
{
    return strncmp(value, "file://", 7) == 0 || is_binary(value);
}

const struct awscli_refusal *awscli_value_load(struct arena *a, const char *option,
                                               const char *value, const char **out)
{
    bool bytes = is_binary(value);
    struct span content;
    const char *path;

    *out = value;
    if (!awscli_value_is_file(value))
        return NULL;
    path = path_of(a, value + (bytes ? 8 : 7));
    if (!file_read(a, path, &content))
        return awscli_refusal_of_value(a, option,
                                       "Unable to load paramfile %s: [Errno %d] %s: '%s'", value,
                                       errno, strerror(errno), path);
    if (bytes) {
        struct buf encoded = buf_in(a);

        base64_encode(&encoded, content);
        *out = buf_text(&encoded);
        return NULL;
    }
    *out = as_text(a, content);
    return NULL;
}

/* --- values ----------------------------------------------------------------------------------- */

static char first_of(const char *text)
{
    return text[strspn(text, " \t\r\n\f\v")];
}

static const struct awscli_refusal *parse(struct arena *a, const char *option, const char *text,
                                          const wire_node **out)
{
    if (json_parse(a, span_of(text), out))
        return NULL;
    return awscli_refusal_of_value(a, option,
                                   "Invalid JSON: it is none from line %zu on\n"
                                   "JSON received: %s",
                                   wire_error_line(a, span_of(text)), text);
}

static const struct awscli_refusal *add_json(struct buf *out, const char *option, const char *text)
{
    const struct awscli_refusal *r;
    const wire_node *node;

    if (!(r = parse(out->arena, option, text, &node)))
        json_write(out, node);
    return r;
}

static const struct awscli_refusal *add_one(struct buf *out, const char *option,
                                            const struct wire_shape *shape, const char *word)
{
    bool complex = awscli_shape_is_complex(shape);

    if (complex && shape->type != WIRE_LIST && first_of(word) == '[')
        return awscli_refusal_of_value(out->arena, option, "Invalid JSON:\n%s", word);
    if (complex && (first_of(word) == '{' || first_of(word) == '['))
        return add_json(out, option, word);
    if (complex && shape->type != WIRE_LIST)
        return awscli_shorthand_add(out, option, shape, word);
    if (shape->type == WIRE_INTEGER || shape->type == WIRE_LONG) {
        if (!awscli_shorthand_integer(out, span_of(word)))
            return awscli_refusal_new(out->arena, AWSCLI_FAILED,
                                      "invalid literal for int() with base 10: '%s'", word);
        return NULL;
    }
    buf_add_json_string(out, span_of(word));
    return NULL;
}

static const struct awscli_refusal *add_list(struct buf *out, const char *option,
                                             const struct wire_shape *shape,
                                             const char *const *words)
{
    const struct awscli_refusal *r;

    if (words[0] && !words[1] && first_of(words[0]) == '[')
        return add_json(out, option, words[0]);
    buf_add_char(out, '[');
    for (size_t i = 0; words[i]; i++) {
        buf_add_text(out, i ? ", " : "");
        if ((r = add_one(out, option, shape->element, words[i])))
            return r;
    }
    buf_add_char(out, ']');
    return NULL;
}

const struct awscli_refusal *awscli_value_add(struct buf *out, const char *option,
                                              const struct wire_shape *shape,
                                              const char *const *words)
{
    const char *loaded[] = {NULL, NULL};
    const struct awscli_refusal *r;

    if (words[0] && !words[1]) { /* only one word can be a file */
        if ((r = awscli_value_load(out->arena, option, words[0], &loaded[0])))
            return r;
        words = loaded;
    }
    if (shape->type == WIRE_LIST || !words[0]) /* lists alone may have no words */
        return add_list(out, option, shape, words);
    return add_one(out, option, shape, words[0]);
}

const struct awscli_refusal *awscli_value_object(struct arena *a, const char *option,
                                                 const char *text, const wire_node **out)
{
    const struct awscli_refusal *r = parse(a, option, text, out);

    if (!r && json_kind(*out) != JSON_OBJECT)
        return awscli_refusal_of_value(a, option, "Invalid JSON:\n%s", text);
    return r;
}
