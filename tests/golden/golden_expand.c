#include "golden_expand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static cJSON *expand(const cJSON *node, const cJSON *saved);

static char *allocate(size_t size)
{
    char *block = malloc(size);

    if (!block)
        process_out_of_memory();
    return block;
}

static const cJSON *argument(const cJSON *arguments, int index)
{
    const cJSON *argument = cJSON_GetArrayItem(arguments, index);

    if (!argument) {
        (void)fprintf(stderr, "golden: a shorthand lacks argument %d\n", index + 1);
        exit(2);
    }
    return argument;
}

/* {"$repeat": ["ab", 3]} → "ababab" */
static cJSON *expand_repeat(const cJSON *arguments, const cJSON *saved)
{
    const char *text = argument(arguments, 0)->valuestring;
    size_t len = strlen(text), end = (size_t)argument(arguments, 1)->valuedouble * len;
    char *joined = allocate(end + 1);
    cJSON *out;

    (void)saved;
    if (end)
        memcpy(joined, text, len);
    for (size_t done = len; done < end; done *= 2) /* copies are dear under AddressSanitizer */
        memcpy(joined + done, joined, done < end - done ? done : end - done);
    joined[end] = '\0';
    out = cJSON_CreateString(joined);
    free(joined);
    return out;
}

/* {"$concat": ["a", {"$repeat": ["b", 2]}]} → "abb" */
static cJSON *expand_concat(const cJSON *arguments, const cJSON *saved)
{
    cJSON *parts = cJSON_CreateArray(), *out;
    const cJSON *part;
    size_t len = 0;
    char *joined;

    cJSON_ArrayForEach(part, arguments)
    {
        cJSON *text = expand(part, saved);

        len += strlen(text->valuestring);
        cJSON_AddItemToArray(parts, text);
    }
    joined = allocate(len + 1);
    joined[0] = '\0';
    len = 0;
    cJSON_ArrayForEach(part, parts)
    {
        strcpy(joined + len, part->valuestring);
        len += strlen(part->valuestring);
    }
    out = cJSON_CreateString(joined);
    free(joined);
    cJSON_Delete(parts);
    return out;
}

/* A copy of the text with each {i} replaced by the number. */
static char *numbered_text(const char *text, int number)
{
    char digits[16], *out = allocate(strlen(text) * 16 + 1), *to = out;

    (void)snprintf(digits, sizeof digits, "%d", number);
    while (*text) {
        if (strncmp(text, "{i}", 3) == 0) {
            to = stpcpy(to, digits);
            text += 3;
        } else {
            *to++ = *text++;
        }
    }
    *to = '\0';
    return out;
}

static void number_texts(cJSON *node, int number)
{
    if (node->valuestring) {
        char *text = numbered_text(node->valuestring, number);

        cJSON_SetValuestring(node, text);
        free(text);
    }
    if (node->string && !(node->type & cJSON_StringIsConst)) {
        char *name = numbered_text(node->string, number);

        cJSON_free(node->string);
        node->string = name;
    }
    for (cJSON *child = node->child; child; child = child->next)
        number_texts(child, number);
}

/* {"$times": [2, {"S": "n{i}"}]} → [{"S": "n1"}, {"S": "n2"}] */
static cJSON *expand_times(const cJSON *arguments, const cJSON *saved)
{
    int count = argument(arguments, 0)->valueint;
    cJSON *out = cJSON_CreateArray();

    for (int i = 1; i <= count; i++) {
        cJSON *element = cJSON_Duplicate(argument(arguments, 1), true);
        cJSON *expanded;

        number_texts(element, i);
        expanded = expand(element, saved);
        cJSON_Delete(element);
        cJSON_AddItemToArray(out, expanded);
    }
    return out;
}

/* {"$nest": [value, 2, "L"]} → {"L": [{"L": [value]}]}; with "M": {"M": {"m": …}} */
static cJSON *expand_nest(const cJSON *arguments, const cJSON *saved)
{
    cJSON *out = expand(argument(arguments, 0), saved);
    int count = argument(arguments, 1)->valueint;
    const char *type = argument(arguments, 2)->valuestring;

    for (int i = 0; i < count; i++) {
        cJSON *outer = cJSON_CreateObject();

        if (*type == 'L')
            cJSON_AddItemToArray(cJSON_AddArrayToObject(outer, type), out);
        else
            cJSON_AddItemToObject(cJSON_AddObjectToObject(outer, type), "m", out);
        out = outer;
    }
    return out;
}

/* {"$ref": "name"} → what "$save" kept under that name, or null */
static cJSON *expand_ref(const cJSON *name, const cJSON *saved)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(saved, name->valuestring);

    return value ? cJSON_Duplicate(value, true) : cJSON_CreateNull();
}

/* {"$id": {"$ref": "arn"}} → what is behind the last / of an ARN */
static cJSON *expand_id(const cJSON *arn, const cJSON *saved)
{
    cJSON *text = expand(arn, saved), *out;
    const char *slash = strrchr(text->valuestring, '/');

    out = cJSON_CreateString(slash ? slash + 1 : text->valuestring);
    cJSON_Delete(text);
    return out;
}

static const struct {
    const char *name;
    cJSON *(*expand)(const cJSON *arguments, const cJSON *saved);
} shorthands[] = {
    {"$repeat", expand_repeat}, {"$concat", expand_concat}, {"$times", expand_times},
    {"$nest", expand_nest},     {"$ref", expand_ref},       {"$id", expand_id},
};

static cJSON *expand(const cJSON *node, const cJSON *saved)
{
    cJSON *out;

    if (cJSON_IsObject(node) && node->child && !node->child->next)
        for (size_t i = 0; i < COUNT(shorthands); i++)
            if (strcmp(node->child->string, shorthands[i].name) == 0)
                return shorthands[i].expand(node->child, saved);
    if (!cJSON_IsObject(node) && !cJSON_IsArray(node)) {
        out = cJSON_Duplicate(node, false);
        return out;
    }
    out = cJSON_IsArray(node) ? cJSON_CreateArray() : cJSON_CreateObject();
    for (const cJSON *child = node->child; child; child = child->next) {
        if (cJSON_IsArray(node))
            cJSON_AddItemToArray(out, expand(child, saved));
        else
            cJSON_AddItemToObject(out, child->string, expand(child, saved));
    }
    return out;
}

cJSON *golden_expand(const cJSON *node, const cJSON *saved)
{
    return expand(node, saved);
}
