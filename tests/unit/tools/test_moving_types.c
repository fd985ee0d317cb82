#include "unit.h"

#include "moving/moving_types.h"

/* A text, and what is shown of what was read of it; NULL: it cannot be read. */
static const struct {
    const char *text, *shown;
} texts[] = {
    {"id=S,age=N", "id=S,age=N"},
    {"tags=SS,b=BS,t=BOOL,n=NULL,l=L,m=M", "tags=SS,b=BS,t=BOOL,n=NULL,l=L,m=M"},
    {"First Name=S", "\"First Name=S\""},
    {"a\\,b=S,c\\=d=N,e\\\\=B", "'a\\,b=S,c\\=d=N,e\\\\=B'"},
    {"a\\b=S", "'a\\\\b=S'"}, /* a backslash before anything else is one */
    {"it's=S", "\"it's=S\""},
    {"$HOME=S", "'$HOME=S'"},
    {"it's $5=S", "'it'\\''s $5=S'"},
    {"", NULL},
    {"a", NULL},
    {"=S", NULL},
    {"a=", NULL},
    {"a=Q", NULL},
    {"a=S,", NULL},
    {",a=S", NULL},
    {"a=S,b", NULL},
    {"a,b=S", NULL},
    {"a\\=S", NULL},
    {"a=S\\,b=N", NULL},
};

START_TEST(what_is_shown_is_read)
{
    struct transfer_column *columns = NULL;
    size_t count = 0;
    const char *problem = moving_types_read(arena, texts[_i].text, &columns, &count);

    if (texts[_i].shown) {
        ck_assert_ptr_null(problem);
        ck_assert_str_eq(moving_types_show(arena, columns, count), texts[_i].shown);
    } else {
        ck_assert_ptr_nonnull(problem);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, what_is_shown_is_read, 0, COUNT(texts));
}

UNIT_TESTS(moving_types, add_tests)
