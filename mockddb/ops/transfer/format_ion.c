/* format_ion.c: text Ion, $ion_1_0 {Item:{pk:"a",n:1.}}, one line per item. */
#include "ops/transfer/ion_text.h"
#include "ops/transfer/transfer_brackets.h"

#define MOST_ZEROS 6 /* after the point, before the first other digit */

/* --- names and strings ------------------------------------------------------------------------ */

/* Whether a name needs no quotes: it is not a word of Ion, nor like $1. */
static bool is_identifier(struct span name)
{
    static const char *const words[] = {"null", "true", "false", "nan"};

    for (size_t i = 0; i < COUNT(words); i++)
        if (span_is(name, words[i]))
            return false;
    if (!name.len || !ion_text_begins_symbol(name.at[0]) ||
        (name.at[0] == '$' && name.len > 1 && ascii_is_digit(name.at[1])))
        return false;
    for (size_t i = 1; i < name.len; i++)
        if (!ion_text_begins_symbol(name.at[i]) && !ascii_is_digit(name.at[i]))
            return false;
    return true;
}

static void write_quoted(struct buf *out, struct span text, char quote)
{
    buf_add_char(out, quote);
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if ((unsigned char)c < 0x20 || c == quote || c == '\\') {
            static const char letters[] = "0abtnfrv", means[] = "\0\a\b\t\n\f\r\v";
            const char *found = memchr(means, c, sizeof means - 1);

            if (found)
                buf_printf(out, "\\%c", letters[found - means]);
            else if ((unsigned char)c < 0x20)
                buf_printf(out, "\\x%02x", (unsigned)c);
            else
                buf_printf(out, "\\%c", c);
        } else
            buf_add_char(out, c);
    }
    buf_add_char(out, quote);
}

static void write_name(struct buf *out, struct span name)
{
    if (is_identifier(name))
        buf_add_span(out, name);
    else
        write_quoted(out, name, '\'');
}

/* --- values ----------------------------------------------------------------------------------- */

static void write_digits(struct buf *out, const struct num *n, int from, int to)
{
    for (int i = from; i < to; i++)
        buf_add_char(out, (char)('0' + n->digit[i]));
}

/* Writes a decimal: 1., 103., 0.5, 6d2, 25d-9. */
static void write_number(struct buf *out, struct span canonical)
{
    struct num n = num_of(canonical);
    int behind = n.digits - n.exponent; /* digits after the point, with leading zeros */

    if (n.negative)
        buf_add_char(out, '-');
    if (!n.digits) {
        buf_add_text(out, "0.");
    } else if (behind < 0) {
        write_digits(out, &n, 0, n.digits);
        buf_printf(out, "d%d", -behind);
    } else if (n.exponent > 0) {
        write_digits(out, &n, 0, n.exponent);
        buf_add_char(out, '.');
        write_digits(out, &n, n.exponent, n.digits);
    } else if (-n.exponent < MOST_ZEROS) {
        buf_add_text(out, "0.");
        for (int zeros = -n.exponent; zeros; zeros--)
            buf_add_char(out, '0');
        write_digits(out, &n, 0, n.digits);
    } else {
        write_digits(out, &n, 0, n.digits);
        buf_printf(out, "d-%d", behind);
    }
}

static void write_string(struct buf *out, struct span text)
{
    write_quoted(out, text, '"');
}

static const struct transfer_brackets brackets = {write_name, write_string, write_number,
                                                  "{{",       "}}",         "$dynamodb_"};

static void write_item(struct arena *a, struct buf *out, const struct transfer_options *options,
                       const struct item *it)
{
    (void)a;
    (void)options;
    buf_add_text(out, "$ion_1_0 {Item:");
    transfer_brackets_map(out, &brackets, it);
    buf_add_text(out, "}\n");
}

static void write_change(struct buf *out, const struct transfer_change *change)
{
    buf_printf(out, "$ion_1_0 {Record:{Metadata:{WriteTimestampMicros:%lld.},Keys:",
               (long long)change->micros);
    transfer_brackets_map(out, &brackets, &change->keys);
    if (change->old) {
        buf_add_text(out, ",OldImage:");
        transfer_brackets_map(out, &brackets, change->old);
    }
    if (change->new) {
        buf_add_text(out, ",NewImage:");
        transfer_brackets_map(out, &brackets, change->new);
    }
    buf_add_text(out, "}}\n");
}

const struct transfer_format transfer_format_ion = {
    .name = "ION",
    .ending = ".ion",
    .frame = ion_text_frame,
    .read = ion_text_read,
    .write = write_item,
    .write_change = write_change,
};
