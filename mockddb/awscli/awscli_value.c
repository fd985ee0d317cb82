#include "awscli/awscli_value.h"

#include "awscli/awscli_shorthand.h"
#include "awscli/awscli_usage.h"
#include "wire/json.h"

#define SHOWN 12 /* bytes that are shown of the place at which a text is not JSON */

/* --- values ----------------------------------------------------------------------------------- */

static char first_of(const char *text)
{
    return text[strspn(text, " \t\r\n\f\v")];
}

static const struct problem *parse_json(struct arena *a, const char *option, const char *text,
                                        const wire_node **out)
{
    struct text_place place;
    const char *stop;
    int shown = 0;

    if (json_parse(a, span_of(text), out))
        return NULL;
    if (!(stop = wire_error_at(a, span_of(text))))
        stop = text + strlen(text);
    place = text_place_of(span_of(text), stop);
    while (shown < SHOWN && stop[shown] && stop[shown] != '\n')
        shown++;
    while (shown && ((unsigned char)stop[shown] & 0xC0) == 0x80) /* within a character */
        shown--;
    return awscli_usage_value(a, option,
                              "Invalid JSON: line %zu, column %zu: %s%.*s\n"
                              "JSON received: %s",
                              place.line, place.column, shown ? "unexpected " : "it is incomplete",
                              shown, stop, text);
}

static const struct problem *add_json(struct buf *out, const char *option, const char *text)
{
    const struct problem *r;
    const wire_node *node;

    if (!(r = parse_json(out->arena, option, text, &node)))
        json_write(out, node);
    return r;
}

static const struct problem *add_one(struct buf *out, enum awscli_files files, const char *option,
                                     const struct wire_shape *shape, const char *word)
{
    bool complex = awscli_shape_is_complex(shape);

    if (complex && shape->type != WIRE_LIST && first_of(word) == '[')
        return awscli_usage_value(out->arena, option, "Invalid JSON:\n%s", word);
    if (complex && (first_of(word) == '{' || first_of(word) == '['))
        return add_json(out, option, word);
    if (complex && shape->type != WIRE_LIST)
        return awscli_shorthand_add(out, files, option, shape, word);
    if (shape->type == WIRE_INTEGER || shape->type == WIRE_LONG) {
        if (!awscli_shorthand_integer(out, span_of(word)))
            return problem_new(out->arena, PROBLEM_FAILED,
                               "invalid literal for int() with base 10: '%s'", word);
        return NULL;
    }
    buf_add_json_string(out, span_of(word));
    return NULL;
}

static const struct problem *add_list(struct buf *out, enum awscli_files files, const char *option,
                                      const struct wire_shape *shape, const char *const *words)
{
    const struct problem *r;

    if (words[0] && !words[1] && first_of(words[0]) == '[')
        return add_json(out, option, words[0]);
    buf_add_char(out, '[');
    for (size_t i = 0; words[i]; i++) {
        buf_add_text(out, i ? ", " : "");
        if ((r = add_one(out, files, option, shape->element, words[i])))
            return r;
    }
    buf_add_char(out, ']');
    return NULL;
}

const struct problem *awscli_value_add(struct buf *out, enum awscli_files files, const char *option,
                                       const struct wire_shape *shape, const char *const *words)
{
    const char *loaded[] = {NULL, NULL};

    if (words[0] && !words[1]) { /* only a single word can be a file */
        bool bytes;
        const char *problem = awscli_file_load(out->arena, files, words[0], &loaded[0], &bytes);

        if (!problem && bytes && shape->type != WIRE_BLOB)
            problem = AWSCLI_FILE_NO_BYTES;
        if (problem)
            return awscli_usage_value(out->arena, option, "%s", problem);
        words = loaded;
    }
    if (shape->type == WIRE_LIST || !words[0]) /* only lists may have no words */
        return add_list(out, files, option, shape, words);
    return add_one(out, files, option, shape, words[0]);
}

const struct problem *awscli_value_object(struct arena *a, enum awscli_files files,
                                          const char *option, const char *value,
                                          const wire_node **out)
{
    const struct problem *r;
    const char *text, *problem;
    bool bytes;

    if ((problem = awscli_file_load(a, files, value, &text, &bytes)))
        return awscli_usage_value(a, option, "%s", problem);
    r = parse_json(a, option, text, out);
    if (!r && json_kind(*out) != JSON_OBJECT)
        return awscli_usage_value(a, option, "Invalid JSON:\n%s", text);
    return r;
}
