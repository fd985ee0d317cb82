#include "http/http_gzip.h"

#include "base/process.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <strings.h>

#define FASTEST 1

/* The compressor is large and most clients never ask for it: it is made on first use. */
struct http_gzip {
    struct libdeflate_compressor *compressor;
    unsigned char *out;
    size_t capacity;
};

struct http_gzip *http_gzip_new(void)
{
    struct http_gzip *z = calloc(1, sizeof *z);

    if (!z)
        process_out_of_memory();
    return z;
}

void http_gzip_free(struct http_gzip *z)
{
    if (!z)
        return;
    libdeflate_free_compressor(z->compressor);
    free(z->out);
    free(z);
}

void http_gzip_trim(struct http_gzip *z)
{
    free(z->out);
    z->out = NULL;
    z->capacity = 0;
}

/* --- Accept-Encoding -------------------------------------------------------------------------- */

static const char *const names[] = {[HTTP_GZIP] = "gzip", [HTTP_DEFLATE] = "deflate"};

const char *http_gzip_name(enum http_coding coding)
{
    return names[coding];
}

static struct span trim(struct span text)
{
    while (text.len && (*text.at == ' ' || *text.at == '\t'))
        text = span_from(text, 1);
    while (text.len && (text.at[text.len - 1] == ' ' || text.at[text.len - 1] == '\t'))
        text.len--;
    return text;
}

/* Takes the text up to the sign, or all of it, off the front, without blanks around it. */
static struct span take(struct span *text, char sign)
{
    const char *end = text->len ? memchr(text->at, sign, text->len) : NULL;
    struct span part = {text->at, end ? (size_t)(end - text->at) : text->len};

    *text = span_from(*text, part.len + (end != NULL));
    return trim(part);
}

#define LONGEST_QUALITY 16

/* "0.5": what is above 1 is 1, what is no number as well. */
static double read_quality(struct span text)
{
    char digits[LONGEST_QUALITY + 1];
    char *end;
    double value;

    if (!text.len || text.len > LONGEST_QUALITY || strspn(text.at, "-.0123456789") < text.len)
        return 1;
    memcpy(digits, text.at, text.len);
    digits[text.len] = '\0';
    value = strtod(digits, &end);
    return *end || end == digits || value > 1 ? 1 : value;
}

/* The first "q=" counts, in whatever parameter it stands. */
static double quality_of(struct span parameters)
{
    while (parameters.len >= 2 && (parameters.at[0] != 'q' || parameters.at[1] != '='))
        parameters = span_from(parameters, 1);
    if (parameters.len < 2)
        return 1;
    parameters = span_from(parameters, 2);
    return read_quality(take(&parameters, ';'));
}

static bool is_called(struct span name, const char *called)
{
    return name.len == strlen(called) && strncasecmp(name.at, called, name.len) == 0;
}

struct choice {
    enum http_coding best;
    double quality;
};

static void consider(struct choice *choice, enum http_coding coding, double quality)
{
    if (quality > choice->quality)
        *choice = (struct choice){coding, quality};
}

enum http_coding http_gzip_choice(const char *accept_encoding)
{
    struct span list = span_of(accept_encoding ? accept_encoding : "");
    struct choice choice = {HTTP_PLAIN, 0};
    bool named[COUNT(names)] = {false};
    double others = 0; /* the quality of what is not named */

    while (list.len) {
        struct span parameters = take(&list, ',');
        struct span name = take(&parameters, ';');
        double quality = quality_of(parameters);

        if (is_called(name, "*"))
            others = quality;
        for (enum http_coding c = HTTP_GZIP; c <= HTTP_DEFLATE; c++)
            if (is_called(name, names[c])) {
                named[c] = true;
                consider(&choice, c, quality);
            }
    }
    for (enum http_coding c = HTTP_GZIP; c <= HTTP_DEFLATE; c++)
        if (!named[c])
            consider(&choice, c, others);
    return choice.best;
}

/* --- packing ---------------------------------------------------------------------------------- */

static void make_room(struct http_gzip *z, size_t len)
{
    size_t bound;

    if (!z->compressor && !(z->compressor = libdeflate_alloc_compressor(FASTEST)))
        process_out_of_memory();
    bound = libdeflate_gzip_compress_bound(z->compressor, len);
    if (bound <= z->capacity)
        return;
    free(z->out);
    if (!(z->out = malloc(bound)))
        process_out_of_memory();
    z->capacity = bound;
}

struct span http_gzip(struct http_gzip *z, enum http_coding coding, struct span bytes)
{
    if (coding == HTTP_PLAIN)
        return bytes;
    make_room(z, bytes.len); /* zlib's form needs less */
    return (struct span){
        (const char *)z->out,
        (coding == HTTP_GZIP ? libdeflate_gzip_compress : libdeflate_zlib_compress)(
            z->compressor, bytes.at, bytes.len, z->out, z->capacity),
    };
}
