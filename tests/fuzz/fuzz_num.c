/* fuzz_num.c: numbers. Two lines are two numbers. */
#include "fuzz.h"

#include "model/num.h"

static const char *text_of(struct arena *a, const struct num *n)
{
    struct buf out = buf_in(a);

    num_format(&out, n);
    return buf_text(&out);
}

static bool same(const struct num *a, const struct num *b)
{
    return a->negative == b->negative && a->exponent == b->exponent && a->digits == b->digits &&
           memcmp(a->digit, b->digit, (size_t)a->digits) == 0;
}

static void check_one(struct arena *a, const struct num *n)
{
    const char *text = text_of(a, n);
    struct num again = num_of(span_of(text));

    must(n->digits >= 0 && n->digits <= NUM_MAX_DIGITS, "a number has up to 38 digits");
    must(same(n, &again), "formatted text reads as the same number");
    must(strcmp(text, text_of(a, &again)) == 0, "formatting is stable");
    must(num_compare(n, &again) == 0, "a number equals itself");
    must(num_size(n) >= 1 && num_size(n) <= 22, "a number counts 1 to 22 bytes");
}

static void check_order(const struct num *a, const struct num *b)
{
    unsigned char keys[2][NUM_KEY_MAX];
    size_t a_len = num_encode_key(a, keys[0]), b_len = num_encode_key(b, keys[1]);
    int order = num_compare(a, b);

    must(a_len <= NUM_KEY_MAX && b_len <= NUM_KEY_MAX, "keys have room");
    must(fuzz_sign(order) == -fuzz_sign(num_compare(b, a)), "order is antisymmetric");
    must(fuzz_sign(span_compare((struct span){(const char *)keys[0], a_len},
                                (struct span){(const char *)keys[1], b_len})) == fuzz_sign(order),
         "keys are in the order of numbers");
    must((order == 0) == same(a, b), "equal numbers have one form");
}

static void check_sums(const struct num *a, const struct num *b)
{
    enum num_status status, reverse;
    struct num sum, other, back;

    status = num_add(a, b, &sum);
    reverse = num_add(b, a, &other);
    must(status == reverse, "sums do not depend on the order");
    if (status == NUM_OK) {
        must(same(&sum, &other), "sums do not depend on the order");
        if (num_subtract(&sum, b, &back) == NUM_OK)
            must(same(&back, a), "a + b - b is a");
    }
    status = num_subtract(a, b, &sum);
    reverse = num_subtract(b, a, &other);
    must(status == reverse, "differences have one magnitude");
    if (status == NUM_OK) {
        must(fuzz_sign(num_compare(a, b)) == (sum.digits ? (sum.negative ? -1 : 1) : 0),
             "a difference has the sign of the order");
        other.negative = other.digits && !other.negative;
        must(same(&sum, &other), "differences have one magnitude");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct span rest = fuzz_input(a, data, size);
    struct span texts[2] = {fuzz_line(&rest), rest};
    struct num n[2], older;
    bool both = true;

    for (size_t i = 0; i < COUNT(texts); i++) {
        enum num_status status = num_parse(texts[i], false, &n[i]);

        if (num_parse(texts[i], true, &older) == NUM_OK && status == NUM_OK)
            must(same(&older, &n[i]), "both layers read the same number");
        if (status == NUM_OK)
            check_one(a, &n[i]);
        else
            must(num_message(a, status, texts[i], i).len != 0, "a failure has a text");
        both = both && status == NUM_OK;
    }
    if (both) {
        check_order(&n[0], &n[1]);
        check_sums(&n[0], &n[1]);
    }
    arena_free(a);
    return 0;
}
