#include "golden_match.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_SIZE 512

struct matcher {
    cJSON *saved;
    char *path; /* of the value at hand; left as it is at the first mismatch */
};

static bool match(struct matcher *m, const cJSON *want, const cJSON *got);

/* Matches one step further down, under `name`. */
static bool match_at(struct matcher *m, const char *name, const cJSON *want, const cJSON *got)
{
    size_t len = strlen(m->path);
    bool same;

    (void)snprintf(m->path + len, PATH_SIZE - len, "/%s", name);
    if ((same = match(m, want, got)))
        m->path[len] = '\0';
    return same;
}

static bool match_any(struct matcher *m, const cJSON *argument, const cJSON *got)
{
    (void)m;
    (void)argument;
    return got != NULL;
}

static bool match_absent(struct matcher *m, const cJSON *argument, const cJSON *got)
{
    (void)m;
    (void)argument;
    return got == NULL;
}

static bool match_regex(struct matcher *m, const cJSON *argument, const cJSON *got)
{
    regex_t regex;
    bool same;

    (void)m;
    if (regcomp(&regex, argument->valuestring, REG_EXTENDED | REG_NOSUB)) {
        (void)fprintf(stderr, "golden: not a regular expression: %s\n", argument->valuestring);
        exit(2);
    }
    same = cJSON_IsString(got) && regexec(&regex, got->valuestring, 0, NULL, 0) == 0;
    regfree(&regex);
    return same;
}

static bool match_save(struct matcher *m, const cJSON *argument, const cJSON *got)
{
    if (!got)
        return false;
    cJSON_DeleteItemFromObjectCaseSensitive(m->saved, argument->valuestring);
    cJSON_AddItemToObject(m->saved, argument->valuestring, cJSON_Duplicate(got, true));
    return true;
}

static bool match_partial(struct matcher *m, const cJSON *argument, const cJSON *got)
{
    if (!cJSON_IsObject(got))
        return false;
    for (const cJSON *want = argument->child; want; want = want->next)
        if (!match_at(m, want->string, want, cJSON_GetObjectItemCaseSensitive(got, want->string)))
            return false;
    return true;
}

/* Each wanted element takes the first one left that matches it. */
static bool match_unordered(struct matcher *m, const cJSON *argument, const cJSON *got)
{
    cJSON *left;
    bool all;

    if (!cJSON_IsArray(got))
        return false;
    left = cJSON_Duplicate(got, true);
    all = cJSON_GetArraySize(argument) == cJSON_GetArraySize(got);
    for (const cJSON *want = argument->child; want && all; want = want->next) {
        char path[PATH_SIZE] = "";
        struct matcher inner = {m->saved, path};
        cJSON *element = left->child;

        while (element && !match(&inner, want, element)) {
            path[0] = '\0';
            element = element->next;
        }
        if ((all = element != NULL))
            cJSON_Delete(cJSON_DetachItemViaPointer(left, element));
    }
    cJSON_Delete(left);
    return all;
}

static bool match_either(struct matcher *m, const cJSON *argument, const cJSON *got)
{
    for (const cJSON *want = argument->child; want; want = want->next) {
        char path[PATH_SIZE] = "";

        if (match(&(struct matcher){m->saved, path}, want, got))
            return true;
    }
    return false;
}

static const struct {
    const char *name;
    bool (*match)(struct matcher *m, const cJSON *argument, const cJSON *got);
} wildcards[] = {
    {"$any", match_any},       {"$absent", match_absent},   {"$regex", match_regex},
    {"$save", match_save},     {"$partial", match_partial}, {"$unordered", match_unordered},
    {"$either", match_either},
};

static bool match_object(struct matcher *m, const cJSON *want, const cJSON *got)
{
    if (!match_partial(m, want, got))
        return false;
    for (const cJSON *member = got->child; member; member = member->next)
        if (!cJSON_GetObjectItemCaseSensitive(want, member->string))
            return match_at(m, member->string, NULL, member);
    return true;
}

static bool match_array(struct matcher *m, const cJSON *want, const cJSON *got)
{
    const cJSON *wanted = want->child, *given = got->child;
    int i = 0;

    for (; wanted && given; wanted = wanted->next, given = given->next) {
        char index[16];

        (void)snprintf(index, sizeof index, "%d", i++);
        if (!match_at(m, index, wanted, given))
            return false;
    }
    return !wanted && !given;
}

static bool match(struct matcher *m, const cJSON *want, const cJSON *got)
{
    if (want && cJSON_IsObject(want) && want->child && !want->child->next)
        for (size_t i = 0; i < sizeof wildcards / sizeof wildcards[0]; i++)
            if (strcmp(want->child->string, wildcards[i].name) == 0)
                return wildcards[i].match(m, want->child, got);
    if (!want || !got || (want->type & 0xFF) != (got->type & 0xFF))
        return false;
    if (cJSON_IsObject(want))
        return match_object(m, want, got);
    if (cJSON_IsArray(want))
        return match_array(m, want, got);
    if (cJSON_IsString(want))
        return strcmp(want->valuestring, got->valuestring) == 0;
    return !cJSON_IsNumber(want) || want->valuedouble == got->valuedouble;
}

bool golden_match(const cJSON *want, const cJSON *got, cJSON *saved, char *path)
{
    path[0] = '\0';
    return match(&(struct matcher){saved, path}, want, got);
}
