#include "client/client_profile.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/ascii.h"

/* The settings that are read from both files; credentials win over config. */
static const struct profile_setting {
    const char *name;
    size_t offset;
} settings_read[] = {
    {"aws_access_key_id", offsetof(struct client_profile, keys.access_key)},
    {"aws_secret_access_key", offsetof(struct client_profile, keys.secret_key)},
    {"aws_session_token", offsetof(struct client_profile, keys.session_token)},
    {"region", offsetof(struct client_profile, region)},
    {"endpoint_url", offsetof(struct client_profile, endpoint)},
};

const char *client_profile_variable(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

static char *trimmed(char *text)
{
    size_t len;

    while (isspace((unsigned char)*text))
        text++;
    len = strlen(text);
    while (len && isspace((unsigned char)text[len - 1]))
        len--;
    text[len] = '\0';
    return text;
}

static void take_setting(struct arena *a, char *line, struct client_profile *into)
{
    char *equals = strchr(line, '=');

    if (!equals)
        return;
    *equals = '\0';
    for (size_t i = 0; i < COUNT(settings_read); i++) {
        const char **slot;

        if (strcmp(trimmed(line), settings_read[i].name) != 0)
            continue;
        slot = (const char **)(void *)((char *)into + settings_read[i].offset);
        if (!*slot)
            *slot = arena_text(a, span_of(trimmed(equals + 1)));
    }
}

/* Adds the file's settings for the profile to `into`. Returns false if the file does not have the
 * profile. */
static bool read_file(struct arena *a, const char *path, const char *profile,
                      struct client_profile *into)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t cap = 0;
    bool inside = false, found = false;

    if (!file)
        return false;
    while (getline(&line, &cap, file) >= 0) {
        if (line[0] == '[') {
            const char *name = line + 1;

            /* "[default]", or in the config file "[profile name]". */
            if (strncmp(name, "profile", 7) == 0 && isspace((unsigned char)name[7])) {
                name += 7;
                while (isspace((unsigned char)*name))
                    name++;
            }
            inside = strncmp(name, profile, strlen(profile)) == 0 && name[strlen(profile)] == ']';
            found = found || inside;
        } else if (inside && !isspace((unsigned char)line[0]) && !ascii_is_one_of(line[0], "#;")) {
            take_setting(a, line, into); /* indented lines belong to a nested group */
        }
    }
    free(line);
    (void)fclose(file);
    return found;
}

static const char *file_of(struct arena *a, const char *override, const char *name)
{
    const char *path = client_profile_variable(override), *home = client_profile_variable("HOME");

    return path ? path : arena_printf(a, "%s/.aws/%s", home ? home : "", name);
}

const char *client_profile_load(struct arena *a, const char *name, struct client_profile *out)
{
    const char *asked = name ? name : client_profile_variable("AWS_PROFILE");
    const char *profile = asked ? asked : "default";
    bool use_variables = !name && client_profile_variable("AWS_ACCESS_KEY_ID");
    struct client_profile found = {.region = client_profile_variable("AWS_REGION")};
    bool known;

    if (!found.region)
        found.region = client_profile_variable("AWS_DEFAULT_REGION");
    if (use_variables) { /* together: a token from a file does not belong to their keys */
        const char *secret = client_profile_variable("AWS_SECRET_ACCESS_KEY");
        const char *token = client_profile_variable("AWS_SESSION_TOKEN");

        found.keys = (struct sigv4_keys){client_profile_variable("AWS_ACCESS_KEY_ID"),
                                         secret ? secret : "", token ? token : ""};
    }
    known = read_file(a, file_of(a, "AWS_SHARED_CREDENTIALS_FILE", "credentials"), profile, &found);
    known |= read_file(a, file_of(a, "AWS_CONFIG_FILE", "config"), profile, &found);
    if (asked && !use_variables && !known)
        return arena_printf(a, "profile %s is in neither the credentials nor the config file",
                            profile);
    if (asked && !found.keys.access_key)
        return arena_printf(a,
                            "profile %s has no access key of its own; `aws configure "
                            "export-credentials --profile %s --format env` prints keys to export",
                            profile, profile);
    if (found.keys.access_key && (!found.keys.secret_key || !*found.keys.secret_key))
        return "there is an access key but no secret key";
    if (found.keys.session_token && !*found.keys.session_token)
        found.keys.session_token = NULL;
    *out = found;
    return NULL;
}
