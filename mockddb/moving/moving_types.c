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

static void add_name(struct buf *out, struct span name)
{
    for (size_t i = 0; i < name.len; i++) {
        if (name.at[i] && strchr(SPECIAL, name.at[i]))
            buf_add_char(out, '\\');
        buf_add_char(out, name.at[i]);
    }
}

const char *moving_types_show(struct arena *a, const struct transfer_column *columns, size_t count)
{
    struct buf text = buf_in(a), out = buf_in(a);

    for (size_t i = 0; i < count; i++) {
        buf_add_text(&text, i ? "," : "");
        add_name(&text, columns[i].name);
        buf_printf(&text, "=%s", attr_type_code(columns[i].type));
    }
    quoted_add(&out, buf_span(&text));
    return buf_text(&out);
}
