#include "base/base64.h"

#include "base/ascii.h"

#include <limits.h>
#include <openssl/evp.h>

void base64_encode(struct buf *out, struct span bytes)
{
    /* EVP_EncodeBlock takes an int: long input goes in chunks of whole triples. */
    const size_t chunk = (size_t)3 << 20;

    while (bytes.len) {
        size_t len = bytes.len < chunk ? bytes.len : chunk;
        unsigned char *to = (unsigned char *)buf_reserve(out, (len + 2) / 3 * 4 + 1);

        out->len += (size_t)EVP_EncodeBlock(to, (const unsigned char *)bytes.at, (int)len);
        bytes = span_from(bytes, len);
    }
}

static bool is_digit(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '+' || c == '/';
}

static size_t padding_of(struct span text)
{
    size_t padding = 0;

    while (padding < 2 && padding < text.len && text.at[text.len - 1 - padding] == '=')
        padding++;
    return padding;
}

bool base64_is_valid(struct span text)
{
    size_t padding = padding_of(text);
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *digit;

    if (text.len % 4)
        return false;
    for (size_t i = 0; i < text.len - padding; i++)
        if (!is_digit(text.at[i]))
            return false;
    /* The value of the last digit's spare bits, which must be zero in strict base64. */
    if (!padding)
        return true;
    digit = strchr(digits, text.at[text.len - padding - 1]);
    return digit && ((digit - digits) & (padding == 1 ? 3 : 15)) == 0;
}

bool base64_decode(struct arena *a, struct span text, struct span *out)
{
    unsigned char *bytes;
    int len;

    if (text.len > INT_MAX / 2 || !base64_is_valid(text))
        return false;
    if (!text.len) {
        *out = (struct span){"", 0};
        return true;
    }
    bytes = arena_alloc_raw(a, text.len / 4 * 3);
    len = EVP_DecodeBlock(bytes, (const unsigned char *)text.at, (int)text.len);
    if (len < 0)
        return false;
    *out = (struct span){(const char *)bytes, (size_t)len - padding_of(text)};
    return true;
}
