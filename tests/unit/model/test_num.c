#include "unit.h"

#include "model/num.h"

static struct num num_from(const char *text)
{
    struct num n = {0};

    ck_assert_msg(num_parse(span_of(text), false, &n) == NUM_OK, "not a number: %s", text);
    return n;
}

static const char *num_text(const struct num *n)
{
    struct buf out = buf_in(arena);

    num_format(&out, n);
    return buf_text(&out);
}

#define NINES_38 "99999999999999999999999999999999999999"
#define ZEROS_87                                   \
    "00000000000000000000000000000000000000000000" \
    "0000000000000000000000000000000000000000000"
#define ZEROS_125 ZEROS_87 "00000000000000000000000000000000000000"
#define ZEROS_129 ZEROS_125 "0000"

static const struct {
    const char *in, *out;
} forms[] = {
    {"0", "0"},
    {"0042.1200", "42.12"},
    {"1.5E2", "150"},
    {"-0", "0"},
    {"+0", "0"},
    {"0.00", "0"},
    {"-0.0e-5", "0"},
    {"0e125", "0"},
    {"0e-130", "0"},
    {"1.0", "1"},
    {".5", "0.5"},
    {"-.5", "-0.5"},
    {"5.", "5"},
    {"1.e5", "100000"},
    {"+5", "5"},
    {"+1e2", "100"},
    {"1e+2", "100"},
    {"1E002", "100"},
    {"1e-2", "0.01"},
    {"123.456e1", "1234.56"},
    {"123.456e2", "12345.6"},
    {"123.456e3", "123456"},
    {"123.456e4", "1234560"},
    {"123.456e-3", "0.123456"},
    {"123.456e-4", "0.0123456"},
    {"0.001e3", "1"},
    {"000.000100e2", "0.01"},
    {"-12.50", "-12.5"},
    {NINES_38, NINES_38},
    {"0.00" NINES_38 "0000", "0.00" NINES_38},
    {NINES_38 ".000", NINES_38},
    {"00" NINES_38 "00e-2", NINES_38},
    {"1E125", "1" ZEROS_125},
    {"-1E125", "-1" ZEROS_125},
    {"1e-130", "0." ZEROS_129 "1"},
    {"-1e-130", "-0." ZEROS_129 "1"},
    {NINES_38 "E88", NINES_38 ZEROS_87 "0"},
    {"0." ZEROS_129 "1e130", "1"},
    {"1" ZEROS_129 "e-129", "1"},
};

START_TEST(writes_numbers_in_plain_decimal)
{
    struct num n = num_from(forms[_i].in);

    ck_assert_str_eq(num_text(&n), forms[_i].out);
}
END_TEST

START_TEST(reads_back_what_it_writes)
{
    struct num n = num_from(forms[_i].in), again = num_of(span_of(forms[_i].out));

    ck_assert_int_eq(num_compare(&n, &again), 0);
    ck_assert_str_eq(num_text(&again), forms[_i].out);
}
END_TEST

static const struct {
    const char *in;
    enum num_status current, older;
} faults[] = {
    {"", NUM_SYNTAX, NUM_SYNTAX},
    {"abc", NUM_SYNTAX, NUM_SYNTAX},
    {"1.2.3", NUM_SYNTAX, NUM_SYNTAX},
    {" 1", NUM_SYNTAX, NUM_SYNTAX},
    {"1 ", NUM_SYNTAX, NUM_SYNTAX},
    {"1\t", NUM_SYNTAX, NUM_SYNTAX},
    {"0x10", NUM_SYNTAX, NUM_SYNTAX},
    {"1e", NUM_SYNTAX, NUM_SYNTAX},
    {"1e+", NUM_SYNTAX, NUM_SYNTAX},
    {"1e1.5", NUM_SYNTAX, NUM_SYNTAX},
    {"1e5e5", NUM_SYNTAX, NUM_SYNTAX},
    {"1E--5", NUM_SYNTAX, NUM_SYNTAX},
    {"+e2", NUM_SYNTAX, NUM_SYNTAX},
    {"e2", NUM_SYNTAX, NUM_SYNTAX},
    {".", NUM_SYNTAX, NUM_SYNTAX},
    {"-", NUM_SYNTAX, NUM_SYNTAX},
    {"+", NUM_SYNTAX, NUM_SYNTAX},
    {"+-1", NUM_SYNTAX, NUM_SYNTAX},
    {"1+2", NUM_SYNTAX, NUM_SYNTAX},
    {"1,000", NUM_SYNTAX, NUM_SYNTAX},
    {"NaN", NUM_SYNTAX, NUM_SYNTAX},
    {"Infinity", NUM_SYNTAX, NUM_SYNTAX},
    {"\xd9\xa1", NUM_SYNTAX, NUM_SYNTAX},
    {"1e126", NUM_OVERFLOW, NUM_OVERFLOW},
    {"-1e126", NUM_OVERFLOW, NUM_OVERFLOW},
    {"10e125", NUM_OVERFLOW, NUM_OVERFLOW},
    {"0e126", NUM_OVERFLOW, NUM_OVERFLOW},
    {"1e999999", NUM_OVERFLOW, NUM_OVERFLOW},
    {"1e-131", NUM_UNDERFLOW, NUM_UNDERFLOW},
    {"-0.1e-130", NUM_UNDERFLOW, NUM_UNDERFLOW},
    {"0e-131", NUM_UNDERFLOW, NUM_UNDERFLOW},
    {"1e-999999", NUM_UNDERFLOW, NUM_UNDERFLOW},
    {"1e2147483646", NUM_OVERFLOW, NUM_OVERFLOW},
    {"1e2147483647", NUM_OVERFLOW, NUM_UNDERFLOW},
    {"0.1e2147483647", NUM_OVERFLOW, NUM_OVERFLOW},
    {"1e-2147483647", NUM_UNDERFLOW, NUM_UNDERFLOW},
    {"1e2147483648", NUM_OVERFLOW, NUM_SYNTAX},
    {"1e4294967296", NUM_OVERFLOW, NUM_SYNTAX},
    {"1e9223372036854775807", NUM_OVERFLOW, NUM_SYNTAX},
    {"1e-9223372036854775807", NUM_UNDERFLOW, NUM_SYNTAX},
    {"1e9223372036854775808", NUM_SYNTAX, NUM_SYNTAX},
    {"1e99999999999999999999", NUM_SYNTAX, NUM_SYNTAX},
    {"1" NINES_38, NUM_PRECISION, NUM_PRECISION},
    {NINES_38 ".5", NUM_PRECISION, NUM_PRECISION},
    {"-" NINES_38 "1e-20", NUM_PRECISION, NUM_PRECISION},
    {"1" ZEROS_87 "1", NUM_PRECISION, NUM_PRECISION},
    {"1" NINES_38 "e125", NUM_OVERFLOW, NUM_OVERFLOW},
};

START_TEST(refuses_what_is_no_number_or_out_of_range)
{
    struct num n = {.digits = 7};

    ck_assert_int_eq(num_parse(span_of(faults[_i].in), false, &n), faults[_i].current);
    ck_assert_int_eq(n.digits, 7);
    ck_assert_int_eq(num_parse(span_of(faults[_i].in), true, &n), faults[_i].older);
}
END_TEST

START_TEST(a_nul_byte_is_no_digit)
{
    struct num n;

    ck_assert_int_eq(num_parse(SPAN_LIT("1\0"), false, &n), NUM_SYNTAX);
    ck_assert_int_eq(num_parse(SPAN_LIT("\0"), false, &n), NUM_SYNTAX);
}
END_TEST

static const struct {
    enum num_status status;
    const char *in;
    bool older;
    const char *message;
} messages[] = {
    {NUM_SYNTAX, "abc", false, "The parameter cannot be converted to a numeric value: abc"},
    {NUM_SYNTAX, "abc", true, "The parameter cannot be converted to a numeric value: abc"},
    {NUM_SYNTAX, "", false, "The parameter cannot be converted to a numeric value: "},
    {NUM_SYNTAX, "", true, "The parameter cannot be converted to a numeric value"},
    {NUM_OVERFLOW, "1e126", false,
     "Number overflow. Attempting to store a number with magnitude larger than supported range"},
    {NUM_UNDERFLOW, "1e-131", true,
     "Number underflow. Attempting to store a number with magnitude smaller than supported range"},
    {NUM_PRECISION, "1", false, "Attempting to store more than 38 significant digits in a Number"},
};

START_TEST(explains_faults_in_the_services_words)
{
    ck_assert_span_eq(
        num_message(arena, messages[_i].status, span_of(messages[_i].in), messages[_i].older),
        messages[_i].message);
}
END_TEST

/* Each row is less than the next. */
static const char *const ascending[] = {
    ("-" NINES_38 "E88"),
    "-1E125",
    "-1E38",
    ("-" NINES_38),
    "-1001",
    "-1000",
    "-999.9",
    "-123",
    "-12.34",
    "-12.3",
    "-12",
    "-11",
    "-10",
    "-9.5",
    "-9",
    "-1.23",
    "-1.2",
    "-1.1999",
    "-1",
    "-0.5",
    "-0.05",
    "-1E-129",
    "-2E-130",
    "-1E-130",
    "0",
    "1E-130",
    "2E-130",
    "1E-129",
    "0.05",
    "0.5",
    "1",
    "1.1999",
    "1.2",
    "1.23",
    "9",
    "9.5",
    "10",
    "11",
    "12",
    "12.3",
    "12.34",
    "123",
    "999.9",
    "1000",
    "1001",
    NINES_38,
    "1E38",
    "1E125",
    (NINES_38 "E88"),
};

static int order_of_keys(const struct num *a, const struct num *b)
{
    unsigned char left[NUM_KEY_MAX], right[NUM_KEY_MAX];
    size_t left_len = num_encode_key(a, left), right_len = num_encode_key(b, right);

    ck_assert_uint_le(left_len, NUM_KEY_MAX);
    return span_compare((struct span){(const char *)left, left_len},
                        (struct span){(const char *)right, right_len});
}

START_TEST(sorts_by_value_and_so_do_keys)
{
    struct num a = num_from(ascending[_i]);

    for (size_t i = 0; i < COUNT(ascending); i++) {
        struct num b = num_from(ascending[i]);
        int expected = (_i > (int)i) - (_i < (int)i);
        int order = num_compare(&a, &b), key_order = order_of_keys(&a, &b);

        ck_assert_msg((order > 0) - (order < 0) == expected, "%s, %s", ascending[_i], ascending[i]);
        ck_assert_msg((key_order > 0) - (key_order < 0) == expected, "keys of %s, %s",
                      ascending[_i], ascending[i]);
    }
}
END_TEST

static void check_key_comes_back(const struct num *n)
{
    unsigned char key[NUM_KEY_MAX];
    size_t len = num_encode_key(n, key);
    struct num back = num_decode_key((struct span){(const char *)key, len});
    struct buf expected = buf_in(arena), text = buf_in(arena);

    num_format(&expected, n);
    num_format(&text, &back);
    ck_assert(span_equal(buf_span(&text), buf_span(&expected)));
    ck_assert_int_eq(num_compare(&back, n), 0);
}

START_TEST(a_key_gives_the_number_back)
{
    struct num n = num_from(ascending[_i]);

    check_key_comes_back(&n);
}
END_TEST

/* A number with few digits and a small exponent now and then, so that neighbours are likely. */
static struct num random_num(void)
{
    struct buf text = buf_in(arena);
    int digits = unit_random_from(1, unit_random(2) ? 3 : NUM_MAX_DIGITS);
    int exponent = unit_random(2) ? unit_random_from(-2, 2) : unit_random_from(-120, 89);

    if (unit_random(2))
        buf_add_char(&text, '-');
    for (int i = 0; i < digits; i++)
        buf_add_char(&text, (char)('0' + unit_random(unit_random(2) ? 10 : 2)));
    buf_printf(&text, "e%d", exponent - (unit_random(2) ? digits : 0));
    if (exponent - digits < -130)
        return num_from("0");
    return num_from(buf_text(&text));
}

static int sign_of(int order)
{
    return (order > 0) - (order < 0);
}

START_TEST(key_order_is_numeric_order_for_random_pairs)
{
    for (int i = 0; i < 20000; i++) {
        struct num a = random_num(), b = random_num(), difference;
        int order = num_compare(&a, &b);

        ck_assert_msg(sign_of(order_of_keys(&a, &b)) == sign_of(order), "%s, %s", num_text(&a),
                      num_text(&b));
        check_key_comes_back(&a);
        if (num_subtract(&a, &b, &difference) == NUM_OK) {
            struct num zero = {0};

            ck_assert_msg(sign_of(num_compare(&difference, &zero)) == sign_of(order), "%s - %s",
                          num_text(&a), num_text(&b));
        }
        arena_reset(arena);
    }
}
END_TEST

static const struct {
    const char *a, *b;
    enum num_status status;
    const char *sum;
} sums[] = {
    {"1", "1", NUM_OK, "2"},
    {"0", "0", NUM_OK, "0"},
    {"0", "-5", NUM_OK, "-5"},
    {"5", "0", NUM_OK, "5"},
    {"5", "-5", NUM_OK, "0"},
    {"9", "1", NUM_OK, "10"},
    {"99", "1", NUM_OK, "100"},
    {"0.1", "0.2", NUM_OK, "0.3"},
    {"0.9", "0.1", NUM_OK, "1"},
    {"1", "-0.1", NUM_OK, "0.9"},
    {"1000", "-0.001", NUM_OK, "999.999"},
    {"-1000", "0.001", NUM_OK, "-999.999"},
    {"1", "-2", NUM_OK, "-1"},
    {"-1", "-2", NUM_OK, "-3"},
    {"123.456", "-123.455", NUM_OK, "0.001"},
    {"12345678901234567890", "98765432109876543210", NUM_OK, "111111111011111111100"},
    {NINES_38, "1", NUM_OK, "100000000000000000000000000000000000000"},
    {NINES_38, "2", NUM_OVERFLOW, NULL},
    {NINES_38, "0.1", NUM_OVERFLOW, NULL},
    {"1E38", "-1", NUM_OK, NINES_38},
    {"1E38", "1", NUM_OVERFLOW, NULL},
    {"1E38", "-0.1", NUM_OVERFLOW, NULL},
    {"1E37", "1", NUM_OK, "10000000000000000000000000000000000001"},
    {"1E37", "0.1", NUM_OVERFLOW, NULL},
    {"1E125", "1E-130", NUM_OVERFLOW, NULL},
    {"1E125", "9E125", NUM_OVERFLOW, NULL},
    {"-5E125", "-5E125", NUM_OVERFLOW, NULL},
    {NINES_38 "E88", "1E88", NUM_OVERFLOW, NULL},
    {NINES_38 "E88", "-" NINES_38 "E88", NUM_OK, "0"},
    {"1.1E-130", "-1E-130", NUM_UNDERFLOW, NULL},
    {"2E-130", "-1E-130", NUM_OK, "0." ZEROS_129 "1"},
};

START_TEST(adds_exactly)
{
    struct num a = num_from(sums[_i].a), b = num_from(sums[_i].b), sum, difference, opposite;

    opposite = b;
    opposite.negative = b.digits && !b.negative;
    ck_assert_int_eq(num_add(&a, &b, &sum), sums[_i].status);
    ck_assert_int_eq(num_subtract(&a, &opposite, &difference), sums[_i].status);
    if (sums[_i].status != NUM_OK)
        return;
    ck_assert_str_eq(num_text(&sum), sums[_i].sum);
    ck_assert_str_eq(num_text(&difference), sums[_i].sum);
    ck_assert_int_eq(num_add(&b, &a, &sum), NUM_OK);
    ck_assert_str_eq(num_text(&sum), sums[_i].sum);
}
END_TEST

/* Of either sign and any length that two of them can be added in. */
static long long random_integer(void)
{
    long long x = (long long)unit_random(1u << 31) << 31 | unit_random(1u << 31);

    x >>= unit_random(62);
    return unit_random(2) ? x : -x;
}

START_TEST(sums_of_random_integers_agree_with_the_machine)
{
    for (int i = 0; i < 20000; i++) {
        long long x = random_integer();
        long long y = random_integer();
        struct num a, b, sum;

        a = num_from(arena_printf(arena, "%lld", x));
        b = num_from(arena_printf(arena, "%llde-3", y));
        ck_assert_int_eq(num_add(&a, &b, &sum), NUM_OK);
        if (y % 1000 == 0)
            ck_assert_str_eq(num_text(&sum), arena_printf(arena, "%lld", x + y / 1000));
        ck_assert_int_eq(num_subtract(&sum, &b, &sum), NUM_OK);
        ck_assert_int_eq(num_compare(&sum, &a), 0);
        arena_reset(arena);
    }
}
END_TEST

static const struct {
    const char *in;
    size_t size;
} sizes[] = {
    {"0", 1},
    {"1", 2},
    {"-5", 3},
    {"15", 2},
    {"123", 3},
    {"1.5", 3},
    {"100", 2},
    {"100.5", 4},
    {"123456", 4},
    {"3.14159", 5},
    {"-42", 3},
    {"0.0000001", 2},
    {"1E125", 2},
    {"12345678901234567890123456789012345678", 20},
    {"-1.2345678901234567890123456789012345678", 22},
    {"5.05", 3},
};

START_TEST(counts_bytes_as_the_service_does)
{
    struct num n = num_from(sizes[_i].in);

    ck_assert_uint_eq(num_size(&n), sizes[_i].size);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, writes_numbers_in_plain_decimal, 0, COUNT(forms));
    tcase_add_loop_test(tc, reads_back_what_it_writes, 0, COUNT(forms));
    tcase_add_loop_test(tc, refuses_what_is_no_number_or_out_of_range, 0, COUNT(faults));
    tcase_add_test(tc, a_nul_byte_is_no_digit);
    tcase_add_loop_test(tc, explains_faults_in_the_services_words, 0, COUNT(messages));
    tcase_add_loop_test(tc, sorts_by_value_and_so_do_keys, 0, COUNT(ascending));
    tcase_add_loop_test(tc, a_key_gives_the_number_back, 0, COUNT(ascending));
    tcase_add_test(tc, key_order_is_numeric_order_for_random_pairs);
    tcase_add_loop_test(tc, adds_exactly, 0, COUNT(sums));
    tcase_add_test(tc, sums_of_random_integers_agree_with_the_machine);
    tcase_add_loop_test(tc, counts_bytes_as_the_service_does, 0, COUNT(sizes));
}

UNIT_TESTS(num, add_tests)
