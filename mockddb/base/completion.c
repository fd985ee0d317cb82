#include "base/completion.h"

#include <assert.h>

#include "base/ascii.h"

/* What a shell offers for a value or a word. */
enum offer {
    NOTHING, /* a text that no shell knows */
    FILES,   /* names of files and folders */
    CHOICES, /* one of some words */
    COMMAND, /* a program and its arguments */
};

/* The help names what follows: FILE, NAME|DIR, PATTERNS.json…, "-- COMMAND …". */
static enum offer offer_for(const char *name)
{
    static const char *const files[] = {"FILE", "DIR", "PATH", "FOLDER", ".json"};

    for (size_t i = 0; name && i < COUNT(files); i++)
        if (strstr(name, files[i]))
            return FILES;
    return name && strstr(name, "COMMAND") ? COMMAND : NOTHING;
}

static enum offer offer_for_value(const struct option *o)
{
    return o->form && o->form->words[0] ? CHOICES : offer_for(o->value);
}

static enum offer offer_for_words(const struct command *command)
{
    return command->verb ? CHOICES : offer_for(command->words);
}

/* The first words of the command's verbs; verbs with the same first word follow each other. */
static const char *verb_names(struct arena *a, const struct command *command)
{
    struct buf out = buf_in(a);
    struct span last = {"", 0};
    const char *verb, *help;

    for (size_t i = 0; (verb = command->verb(a, i, &help)); i++) {
        struct span name = {verb, strcspn(verb, " ")};

        if (span_equal(name, last) || ascii_lower(*verb) != *verb)
            continue;
        buf_printf(&out, "%s%.*s", last.len ? " " : "", SPAN_ARG(name));
        last = name;
    }
    return buf_text(&out);
}

typedef void add_option(struct buf *out, const struct manual *m, const struct command *command,
                        const struct option *o);

/* Calls `add` for the command's options and the common ones, without patterns such as -D*. */
static void add_options(struct buf *out, const struct manual *m, const struct command *command,
                        add_option *add)
{
    const struct option_group *const sets[] = {command->options, m->common};

    for (size_t i = 0; i < COUNT(sets); i++)
        for (const struct option_group *group = sets[i]; group->rows; group++)
            for (const struct option *o = group->rows; o->name; o++)
                if (o->help && !strchr(o->name, '*'))
                    add(out, m, command, o);
}

/* Adds the text for a place within single quotes, with a backslash before each of `escaped`. */
static void add_quoted(struct buf *out, const char *text, const char *escaped)
{
    for (; *text; text++) {
        if (*text == '\'')
            buf_add_text(out, "'\\'");
        else if (strchr(escaped, *text))
            buf_add_char(out, '\\');
        buf_add_char(out, *text);
    }
}

/* --- bash ------------------------------------------------------------------------------------- */

static const char *const bash_offers[] = {
    [NOTHING] = "nothing", [FILES] = "files", [CHOICES] = "choices", [COMMAND] = "command"};

static void add_bash_name(struct buf *out, const struct manual *m, const struct command *command,
                          const struct option *o)
{
    (void)m, (void)command;
    buf_printf(out, "%s ", o->name);
}

static void add_bash_value(struct buf *out, const struct manual *m, const struct command *command,
                           const struct option *o)
{
    enum offer offer = offer_for_value(o);

    (void)m, (void)command;
    if (!o->value)
        return;
    buf_printf(out, "        %s) offer=%s", o->name, bash_offers[offer]);
    if (offer == CHOICES)
        buf_printf(out, " choices='%s %s'", o->form->words[0], o->form->words[1]);
    buf_add_text(out, " ;;\n");
}

/* The branch of a command: its options, its words, and the values of its options. */
static void add_bash_command(struct buf *out, const struct manual *m, const struct command *command)
{
    enum offer offer = offer_for_words(command);

    buf_printf(out, "    %s)\n        rest=%s", command->name, bash_offers[offer]);
    if (offer == CHOICES)
        buf_printf(out, " choices='%s'", verb_names(out->arena, command));
    buf_add_text(out, "\n        options='");
    add_options(out, m, command, add_bash_name);
    buf_add_text(out, "'\n        case $before in\n");
    add_options(out, m, command, add_bash_value);
    if (offer == COMMAND || offer == FILES)
        buf_printf(out, "        --) offer=%s ;;\n", bash_offers[offer]);
    buf_add_text(out, "        esac ;;\n");
}

static void write_bash(struct buf *out, const struct manual *m)
{
    const char *p = m->program;

    buf_printf(out, "# %s %s: completion for bash\n_%s() {\n", p, m->version, p);
    buf_printf(out,
               "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
               "    local command=%s offer= rest= choices= options= end=0 i line\n"
               "    COMPREPLY=()\n"
               "    [[ $word == '=' ]] && word=\n"
               "    [[ $before == '=' ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
               "    for ((i = COMP_CWORD - 1; i > 0; i--)); do\n"
               "        [[ ${COMP_WORDS[i]} == -- ]] && before=-- end=$i\n"
               "    done\n"
               "%s"
               "    case $command in\n",
               m->commands[0]->name,
               m->topics ? "    if ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} != -* ]]; then\n"
                           "        command=${COMP_WORDS[1]}\n"
                           "    fi\n"
                         : "");
    for (size_t i = 0; m->commands[i]; i++)
        add_bash_command(out, m, m->commands[i]);
    if (m->topics)
        buf_printf(out, "    help) rest=choices choices='%s' ;;\n", m->topics);
    buf_add_text(out, "    esac\n");
    if (m->topics) {
        buf_add_text(out, "    ((COMP_CWORD == 1)) && rest=choices choices='");
        for (size_t i = 0; m->commands[i]; i++)
            buf_printf(out, "%s ", m->commands[i]->name);
        buf_add_text(out, "help'\n");
    }
    buf_printf(out,
               "    [[ -z $offer && $word == -* ]] && offer=choices choices=$options\n"
               "    case ${offer:-$rest} in\n"
               "    choices) set -- -W \"$choices\" ;;\n"
               "    files) set -- -f; compopt -o filenames 2>/dev/null ;;\n"
               "    command)\n"
               "        if ((end)) && declare -F _command_offset >/dev/null; then\n"
               "            _command_offset $((end + 1))\n"
               "            return\n"
               "        fi\n"
               "        set -- -c -f ;;\n"
               "    *) return ;;\n"
               "    esac\n"
               "    while IFS= read -r line; do\n"
               "        COMPREPLY+=(\"$line\")\n"
               "    done < <(compgen \"$@\" -- \"$word\" 2>/dev/null)\n"
               "}\n"
               "complete -F _%s %s\n",
               p, p);
}

/* --- zsh -------------------------------------------------------------------------------------- */

static void add_zsh_option(struct buf *out, const struct manual *m, const struct command *command,
                           const struct option *o)
{
    enum offer offer = offer_for_value(o);

    (void)m, (void)command;
    buf_printf(out, "            '*%s%s[", o->name, o->value ? "=" : "");
    add_quoted(out, o->help, "[]\\");
    buf_add_char(out, ']');
    if (o->value) {
        buf_printf(out, ":%s:", o->value);
        if (offer == CHOICES)
            buf_printf(out, "(%s %s)", o->form->words[0], o->form->words[1]);
        else if (offer == FILES)
            buf_add_text(out, "_files");
    }
    buf_add_text(out, "' \\\n");
}

static void add_zsh_command(struct buf *out, const struct manual *m, const struct command *command)
{
    static const char *const words[] = {
        [FILES] = "'*:path:_files'", [COMMAND] = "'*::command:_normal'", [NOTHING] = ""};
    enum offer offer = offer_for_words(command);

    buf_printf(out, "    %s)\n        _arguments \\\n", command->name);
    add_options(out, m, command, add_zsh_option);
    if (offer == CHOICES)
        buf_printf(out, "            '1:verb:(%s)' ;;\n", verb_names(out->arena, command));
    else
        buf_printf(out, "            %s ;;\n", words[offer]);
}

/* Offers the commands as the first word, and steps past the one that is given. */
static void add_zsh_choice(struct buf *out, const struct manual *m)
{
    buf_add_text(out, "    local -a commands\n    commands=(\n");
    for (size_t i = 0; m->commands[i]; i++) {
        buf_printf(out, "        '%s:", m->commands[i]->name);
        add_quoted(out, m->commands[i]->summary, "\\");
        buf_add_text(out, "'\n");
    }
    buf_add_text(out, "        'help:explain a subject or a command'\n"
                      "    )\n"
                      "    if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
                      "        _describe -t commands command commands\n"
                      "        return\n"
                      "    fi\n"
                      "    if [[ $words[2] != -* ]]; then\n"
                      "        command=$words[2]\n"
                      "        shift words\n"
                      "        ((CURRENT--))\n"
                      "    fi\n");
}

static void write_zsh(struct buf *out, const struct manual *m)
{
    const char *p = m->program;

    buf_printf(out,
               "#compdef %s\n"
               "# %s %s: completion for zsh\n"
               "_%s() {\n"
               "    local command=%s\n",
               p, p, m->version, p, m->commands[0]->name);
    if (m->topics)
        add_zsh_choice(out, m);
    buf_add_text(out, "    case $command in\n");
    for (size_t i = 0; m->commands[i]; i++)
        add_zsh_command(out, m, m->commands[i]);
    if (m->topics)
        buf_printf(out, "    help) _arguments '1:topic:(%s)' ;;\n", m->topics);
    buf_printf(out,
               "    esac\n"
               "}\n"
               "if [[ $funcstack[1] == _%s ]]; then\n"
               "    _%s \"$@\"\n"
               "else\n"
               "    compdef _%s %s\n"
               "fi\n",
               p, p, p, p);
}

/* --- fish ------------------------------------------------------------------------------------- */

static void add_fish_option(struct buf *out, const struct manual *m, const struct command *command,
                            const struct option *o)
{
    size_t dashes = strspn(o->name, "-");
    enum offer offer = offer_for_value(o);

    buf_printf(out, "complete %s -n '__%s_is %s' %s %s", m->program, m->program, command->name,
               dashes == 2 ? "-l" : "-o", o->name + dashes);
    if (o->value)
        buf_add_text(out, offer == FILES ? " -r -F" : " -x");
    if (offer == CHOICES)
        buf_printf(out, " -a '%s %s'", o->form->words[0], o->form->words[1]);
    buf_add_text(out, " -d '");
    add_quoted(out, o->help, "\\");
    buf_add_text(out, "'\n");
}

static void add_fish_command(struct buf *out, const struct manual *m, const struct command *command)
{
    enum offer offer = offer_for_words(command);

    if (m->topics) {
        buf_printf(out, "complete %s -n __%s_is_first -a %s -d '", m->program, m->program,
                   command->name);
        add_quoted(out, command->summary, "\\");
        buf_add_text(out, "'\n");
    }
    add_options(out, m, command, add_fish_option);
    if (offer == NOTHING)
        return;
    buf_printf(out, "complete %s -n '__%s_is %s' ", m->program, m->program, command->name);
    if (offer == CHOICES)
        buf_printf(out, "-a '%s'\n", verb_names(out->arena, command));
    else if (offer == FILES)
        buf_add_text(out, "-F\n");
    else
        buf_printf(out, "-a '(__%s_command)'\n", m->program);
}

static void write_fish(struct buf *out, const struct manual *m)
{
    const char *p = m->program;
    struct buf names = buf_in(out->arena);

    assert(m->commands[0]);
    for (size_t i = 0; m->topics && m->commands[i]; i++)
        buf_printf(&names, "%s ", m->commands[i]->name);
    buf_printf(out,
               "# %s %s: completion for fish\n"
               "function __%s_is_first\n"
               "    test (count (commandline -opc)) -eq 1\n"
               "end\n"
               "function __%s_is\n"
               "    set -l words (commandline -opc)\n"
               "    if not set -q words[2]; or not contains -- $words[2] %shelp\n"
               "        set words[2] %s\n"
               "    end\n"
               "    test $words[2] = $argv[1]\n"
               "end\n"
               "function __%s_command\n"
               "    set -l words (commandline -opc) (commandline -ct)\n"
               "    if set -l at (contains -i -- -- $words)\n"
               "        set -e words[1..$at]\n"
               "        complete -C \"$words\"\n"
               "    end\n"
               "end\n"
               "complete %s -f\n",
               p, m->version, p, p, buf_text(&names), m->commands[0]->name, p, p);
    for (size_t i = 0; m->commands[i]; i++)
        add_fish_command(out, m, m->commands[i]);
    if (m->topics)
        buf_printf(out,
                   "complete %s -n __%s_is_first -a help -d 'explain a subject or a command'\n"
                   "complete %s -n '__%s_is help' -a '%s'\n",
                   p, p, p, p, m->topics);
}

static bool write_completion(struct buf *out, const struct manual *m, const char *shell)
{
    static const struct {
        const char *name;
        void (*write)(struct buf *out, const struct manual *m);
    } shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};

    for (size_t i = 0; i < COUNT(shells); i++) {
        if (strcmp(shell, shells[i].name) == 0) {
            shells[i].write(out, m);
            return true;
        }
    }
    return false;
}

const char *completion_or_manual(struct arena *a, const struct manual *m, const char *const *words)
{
    struct buf out = buf_in(a);

    if (strcmp(words[0], "man") == 0)
        manual_page(&out, m);
    else if (strcmp(words[0], "completion") != 0 || !words[1] ||
             !write_completion(&out, m, words[1]))
        return NULL;
    return buf_text(&out);
}
