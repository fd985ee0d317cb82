#include "unit.h"

#include "client/client_profile.h"

#include <stdio.h>
#include <unistd.h>

static const char credentials[] = "# made up\n"
                                  "[default]\n"
                                  "aws_access_key_id = AKIDDEFAULT\n"
                                  "aws_secret_access_key=secret/default=\n"
                                  "\n"
                                  "[controller]\n"
                                  "aws_access_key_id = AKIDCONTROLLER\n"
                                  "aws_secret_access_key = secret\n"
                                  "aws_session_token = token\n";
static const char config[] = "[default]\n"
                             "region = eu-west-1\n"
                             "[profile controller]\n"
                             "region = us-east-1\n"
                             "s3 =\n"
                             "    region = nested\n"
                             "[profile sso]\n"
                             "sso_session = example\n"
                             "region = us-west-2\n"
                             "[profile  inline]\n"
                             "aws_access_key_id = AKIDINLINE\n"
                             "aws_secret_access_key = inline\n"
                             "endpoint_url = http://localhost:4\n"
                             "[profile half]\n"
                             "aws_access_key_id = AKIDHALF\n";

static const char *const variables[] = {
    "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE",
    "AWS_REGION",        "AWS_DEFAULT_REGION",
};

static char folder[UNIT_FOLDER_SIZE];
static const char *credentials_path, *config_path;

static const char *write_file(const char *variable, const char *name, const char *text)
{
    const char *path = arena_printf(arena, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    setenv(variable, path, 1);
    return path;
}

/* The files go with `clean`. */
static void prepare(void)
{
    size_t i;

    for (i = 0; i < COUNT(variables); i++)
        unsetenv(variables[i]);
    unit_make_folder(folder);
    credentials_path = write_file("AWS_SHARED_CREDENTIALS_FILE", "credentials", credentials);
    config_path = write_file("AWS_CONFIG_FILE", "config", config);
}

static void clean(void)
{
    unlink(credentials_path);
    unlink(config_path);
    rmdir(folder);
}

static const struct {
    const char *about;
    const char *environment[6]; /* NAME=VALUE */
    const char *profile;        /* --profile */
    const char *access_key, *secret_key, *token, *region;
} found[] = {
    {"the default profile", {NULL}, NULL, "AKIDDEFAULT", "secret/default=", NULL, "eu-west-1"},
    {"a profile that was asked for",
     {NULL},
     "controller",
     "AKIDCONTROLLER",
     "secret",
     "token",
     "us-east-1"},
    {"a profile named by a variable",
     {"AWS_PROFILE=controller"},
     NULL,
     "AKIDCONTROLLER",
     "secret",
     "token",
     "us-east-1"},
    {"a profile with keys in the config file",
     {NULL},
     "inline",
     "AKIDINLINE",
     "inline",
     NULL,
     NULL},
    {"keys in variables",
     {"AWS_ACCESS_KEY_ID=AKIDVAR", "AWS_SECRET_ACCESS_KEY=var"},
     NULL,
     "AKIDVAR",
     "var",
     NULL,
     "eu-west-1"},
    {"variables do not borrow a profile's token",
     {"AWS_ACCESS_KEY_ID=AKIDVAR", "AWS_SECRET_ACCESS_KEY=var", "AWS_PROFILE=controller"},
     NULL,
     "AKIDVAR",
     "var",
     NULL,
     "us-east-1"},
    {"an explicit profile wins over keys in variables",
     {"AWS_ACCESS_KEY_ID=AKIDVAR", "AWS_SECRET_ACCESS_KEY=var"},
     "controller",
     "AKIDCONTROLLER",
     "secret",
     "token",
     "us-east-1"},
    {"a region in a variable wins over the profile's",
     {"AWS_DEFAULT_REGION=ap-south-1"},
     "controller",
     "AKIDCONTROLLER",
     "secret",
     "token",
     "ap-south-1"},
    {"AWS_REGION wins over AWS_DEFAULT_REGION",
     {"AWS_DEFAULT_REGION=ap-south-1", "AWS_REGION=sa-east-1"},
     NULL,
     "AKIDDEFAULT",
     "secret/default=",
     NULL,
     "sa-east-1"},
    {"an empty variable counts as unset",
     {"AWS_ACCESS_KEY_ID="},
     NULL,
     "AKIDDEFAULT",
     "secret/default=",
     NULL,
     "eu-west-1"},
};

static void set_variables(const char *const *list)
{
    for (; *list; list++) {
        char *copy = arena_text(arena, span_of(*list)), *equals = strchr(copy, '=');

        *equals = '\0';
        setenv(copy, equals + 1, 1);
    }
}

static void assert_text(const char *got, const char *expected)
{
    ck_assert_pstr_eq(got, expected);
}

START_TEST(finds_keys_and_region)
{
    struct client_profile p;
    const char *error;

    prepare();
    set_variables(found[_i].environment);
    error = client_profile_load(arena, found[_i].profile, &p);
    clean();
    ck_assert_msg(!error, "%s: %s", found[_i].about, error);
    assert_text(p.keys.access_key, found[_i].access_key);
    assert_text(p.keys.secret_key, found[_i].secret_key);
    assert_text(p.keys.session_token, found[_i].token);
    assert_text(p.region, found[_i].region);
    assert_text(p.endpoint, p.keys.access_key && strcmp(p.keys.access_key, "AKIDINLINE") == 0
                                ? "http://localhost:4"
                                : NULL);
}
END_TEST

static const struct {
    const char *environment[3];
    const char *profile;
    const char *error;
} refused[] = {
    {{NULL}, "nobody", "profile nobody is in neither the credentials nor the config file"},
    {{"AWS_PROFILE=nobody"},
     NULL,
     "profile nobody is in neither the credentials nor the config file"},
    {{NULL},
     "sso",
     "profile sso has no access key of its own; `aws configure export-credentials --profile sso "
     "--format env` prints keys to export"},
    {{NULL}, "half", "there is an access key but no secret key"},
    {{"AWS_ACCESS_KEY_ID=AKIDVAR"}, NULL, "there is an access key but no secret key"},
};

START_TEST(says_why_a_profile_cannot_be_used)
{
    struct client_profile p;
    const char *error;

    prepare();
    set_variables(refused[_i].environment);
    error = client_profile_load(arena, refused[_i].profile, &p);
    clean();
    ck_assert_pstr_eq(error, refused[_i].error);
}
END_TEST

START_TEST(does_without_any_files)
{
    struct client_profile p;

    prepare();
    clean();
    ck_assert_ptr_null(client_profile_load(arena, NULL, &p));
    ck_assert_ptr_null(p.keys.access_key);
    ck_assert_ptr_null(p.region);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, finds_keys_and_region, 0, COUNT(found));
    tcase_add_loop_test(tc, says_why_a_profile_cannot_be_used, 0, COUNT(refused));
    tcase_add_test(tc, does_without_any_files);
}

UNIT_TESTS(client_profile, add_tests)
