#include "base/option.h"

#include "base/ascii.h"
#include "base/one_more.h"

#include <errno.h>
#include <stdlib.h>

/* An option found in the command line. */
struct option_given {
    const struct option *option;
    const struct option_group *group;
    const char *value; /* the text after "=", or NULL */
};

static bool is_named(const struct option *option, struct span name, const char *argument)
{
    size_t len = strlen(option->name);

    if (option->name[len - 1] == '*')
        return strncmp(option->name, argument, len - 1) == 0;
    return span_is(name, option->name);
}

static bool find_option(const struct option_group *groups, const char *argument,
                        struct option_given *out)
{
    struct span name = {argument, strcspn(argument, "=")};

    for (; groups->rows; groups++) {
        for (const struct option *option = groups->rows; option->name; option++) {
            if (!is_named(option, name, argument))
                continue;
            out->option = option;
            out->group = groups;
            out->value = argument[name.len] && span_is(name, option->name) ? argument + name.len + 1
                                                                           : NULL;
            return true;
        }
    }
    return false;
}

bool option_is_known(const struct option_group *groups, const char *argument)
{
    struct option_given given;

    return find_option(groups, argument, &given);
}

void *option_member(const struct option_value *v)
{
    return (char *)v->into + v->option->at;
}

const char *option_text(const struct option_value *v)
{
    *(const char **)option_member(v) = v->text;
    return *v->text ? NULL : "is empty";
}

const char *option_list(const struct option_value *v)
{
    struct option_texts *list = option_member(v);

    *v->adds = true;
    list->at = one_more(v->arena, list->at, list->count, sizeof *list->at);
    list->at[list->count++] = v->text;
    return *v->text ? NULL : "is empty";
}

const char *option_pair(const struct option_value *v)
{
    struct option_pairs *list = option_member(v);
    const char *equals = strchr(v->text, '=');

    if (!equals || equals == v->text || (v->option->form && !equals[1]))
        return arena_printf(v->arena, "is not %s", v->option->value);
    *v->adds = true;
    list->at = one_more(v->arena, list->at, list->count, sizeof *list->at);
    list->at[list->count++] = (struct option_pair){
        {v->text, (size_t)(equals - v->text)}, span_of(equals + 1), false};
    return NULL;
}

const char *option_flag(const struct option_value *v)
{
    *(bool *)option_member(v) = true;
    return NULL;
}

const char *option_ignored(const struct option_value *v)
{
    (void)v;
    return NULL;
}

bool option_read_number(const char *text, double min, double max, int64_t *out)
{
    char *end;

    if (!ascii_is_digit(text[*text == '-']))
        return false;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return !*end && !errno && (double)*out >= min && (double)*out <= max;
}

const char *option_number(const struct option_value *v)
{
    const struct option_form *form = v->option->form;

    return option_read_number(v->text, form->min, form->max, option_member(v))
               ? NULL
               : arena_printf(v->arena, "is not %s", form->what);
}

const char *option_decimal(const struct option_value *v)
{
    const struct option_form *form = v->option->form;
    double *out = option_member(v);
    char *end;

    *out = strtod(v->text, &end);
    return end != v->text && !*end && *out >= form->min && *out <= form->max
               ? NULL
               : arena_printf(v->arena, "is not %s", form->what);
}

const char *option_either(const struct option_value *v)
{
    const char *const *words = v->option->form->words;
    bool *out = option_member(v);

    *out = strcmp(v->text, words[1]) == 0;
    return *out || strcmp(v->text, words[0]) == 0
               ? NULL
               : arena_printf(v->arena, "is not one of %s, %s", words[0], words[1]);
}

const char *option_read(struct arena *a, const struct option_group *groups, char *const **words,
                        void *into, struct option_history *history)
{
    bool adds = false;
    struct option_value value = {.arena = a, .into = into, .adds = &adds};
    const struct option *option;
    const char *problem;
    struct option_given given;

    if (!find_option(groups, *(*words)++, &given))
        return "there is no such option";
    value.option = option = given.option;
    value.text = given.value;
    if (!option->value && value.text)
        return arena_printf(a, "option %s takes no value", option->name);
    if (option->value && !value.text && !(value.text = *(*words)++))
        return arena_printf(a, "option %s needs a value: %s", option->name, option->value);
    if (given.group->mark)
        *(bool *)(void *)((char *)into + given.group->mark) = true;
    if ((problem = option->take(&value)))
        return arena_printf(a, "option %s: \"%s\" %s", option->name, value.text, problem);
    /* Notes an option that was given twice. Two names of one option have the same taker and member.
     */
    if (option->value && option->take != option_ignored) {
        for (size_t i = 0; i < history->count && !adds && !history->repeated; i++)
            if (history->at[i]->take == option->take && history->at[i]->at == option->at)
                history->repeated = option->name;
        history->at = one_more(a, history->at, history->count, sizeof *history->at);
        history->at[history->count++] = option;
    }
    return NULL;
}

void option_help_row(struct buf *out, const char *name, const char *help)
{
    const int column = 27;
    int wide = 0;

    for (const char *at = name; *at; at++)
        wide += ((unsigned char)*at & 0xc0) != 0x80; /* the first byte of a UTF-8 character */
    if (wide < column)
        buf_printf(out, "  %s%*s%s\n", name, column - wide, "", help);
    else
        buf_printf(out, "  %s\n  %*s%s\n", name, column, "", help);
}

void option_help(struct buf *out, const struct option_group *groups)
{
    for (; groups->rows; groups++) {
        if (groups->title)
            buf_printf(out, "\n%s%s\n", groups->title, strchr(groups->title, ':') ? "" : ":");
        for (const struct option *o = groups->rows; o->name; o++) {
            const char *name = o->value ? arena_printf(out->arena, "%s %s", o->name, o->value)
                                        : o->name;

            if (o->help)
                option_help_row(out, name, o->help);
        }
    }
}
