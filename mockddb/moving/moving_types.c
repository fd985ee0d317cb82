#include "moving/moving_types.h"

#include "base/one_more.h"
#include "base/quoted.h"

#define SPECIAL "\\,="

/* Takes the name before the equals sign, and leaves *at there; len 0: no name. */
static struct span take_name(struct arena *a, const char **at)
{
    struct buf name = buf_in(a);

    for (; **at && **at != '=' && **at != ','; ++*at) {
        if (**at == '\\' && (*at)[1] && strchr(SPECIAL, (*at)[1]))
            ++*at;
        buf_add_char(&name, **at);
    }
    return **at == '=' ? buf_span(&name) : (struct span){"", 0};
}

const char *moving_types_read(struct arena *a, const char *text, struct transfer_column **out,
                              size_t *count)
{
    for (const char *at = text;; at++) {
        size_t len;
        struct span name = take_name(a, &at);
        enum attr_type type;

        len = name.len ? strcspn(at + 1, ",") : 0;
        if (!name.len || !attr_type_of_code((struct span){at + 1, len}, &type))
            return "is not COLUMN=TYPE,… with types such as S, N, B, BOOL, SS, L or M";
        *out = one_more(a, *out, *count, sizeof **out);
        (*out)[(*count)++] = (struct transfer_column){name, type};
        at += 1 + len;
        if (!*at)
            return NULL;
    }
}

const char *moving_types_show(struct arena *a, const struct transfer_column *columns, size_t count)
{
    struct buf text = buf_in(a), out = buf_in(a);

    for (size_t i = 0; i < count; i++) {
        struct span name = columns[i].name;

        buf_add_text(&text, i ? "," : "");
        for (size_t k = 0; k < name.len; k++) {
            if (name.at[k] && strchr(SPECIAL, name.at[k]))
                buf_add_char(&text, '\\');
            buf_add_char(&text, name.at[k]);
        }
        buf_printf(&text, "=%s", attr_type_code(columns[i].type));
    }
    quoted_add(&out, buf_span(&text));
    return buf_text(&out);
}
