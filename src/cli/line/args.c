#include "base/text.h"
#include "cli/line/subcommand.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cs_status unknown(const cs_subcommand *sub, const char *word,
                         cs_error *err)
{
    const char *names[CS_ARGS_OPTIONS + 2] = {"help"};
    for (size_t i = 0; i < sub->n_options; i++)
        names[i + 1] = sub->options[i].name;
    cs_fail(err, CS_UNKNOWN, "%s has no option '%s'", sub->name, word);
    const char *near = cs_text_nearest(word + strspn(word, "-"), names);
    if (near)
        cs_hint(err, "did you mean '--%s'?", near);
    else
        cs_hint(err, "see chainscope %s --help", sub->name);
    return CS_UNKNOWN;
}

/* Appends "name=value" to list[*n], which has room for `most` entries. */
static cs_status add(const char **list, size_t *n, size_t most,
                     const cs_option *o, const char *value, cs_error *err)
{
    if (*n == most)
        return cs_fail(err, CS_INPUT, "--%s may be given at most %zu times",
                       o->name, most);
    if (!strchr(value, '=')) {
        cs_fail(err, CS_INPUT, "--%s: expected NAME=VALUE, not '%s'", o->name,
                value);
        cs_hint(err, "give --%s arm.parameter=%s", o->name,
                o->name[0] == 's' ? "value" : "0.1..2:log:12");
        return CS_INPUT;
    }
    list[(*n)++] = value;
    return CS_OK;
}

static cs_status store(cs_args *args, size_t i, const char *value,
                       cs_error *err)
{
    const cs_option *o = &args->sub->options[i];
    if (strcmp(o->name, "set") == 0)
        return add(args->set, &args->n_set, CS_ARGS_SET, o, value, err);
    if (strcmp(o->name, "over") == 0)
        return add(args->over, &args->n_over, CS_ARGS_OVER, o, value, err);
    args->value[i] = value;
    return CS_OK;
}

/* Reads the option argv[*at] and its value; moves *at past them. */
static cs_status read_option(cs_args *args, int argc, char **argv, int *at,
                             cs_error *err)
{
    const cs_subcommand *sub = args->sub;
    const char *word = argv[*at];
    const char *name = strcmp(word, "-o") == 0 ? "output" : word + 2;
    size_t n = strcspn(name, "=");
    for (size_t i = 0; i < sub->n_options; i++) {
        const cs_option *o = &sub->options[i];
        if (strlen(o->name) != n || strncmp(o->name, name, n) != 0)
            continue;
        if (!o->arg && name[n])
            return cs_fail(err, CS_INPUT, "--%s takes no value", o->name);
        if (!o->arg)
            return store(args, i, o->name, err);
        if (name[n])
            return store(args, i, name + n + 1, err);
        if (o->arg[0] == '[')
            return store(args, i, "", err);
        if (*at + 1 < argc)
            return store(args, i, argv[++*at], err);
        cs_fail(err, CS_INPUT, "%s needs a value", word);
        cs_hint(err, "give %s %s", word, o->arg);
        return CS_INPUT;
    }
    return unknown(sub, word, err);
}

cs_status cs_args_read(cs_args *args, const cs_subcommand *sub, int argc,
                       char **argv, cs_error *err)
{
    bool words_only = false;
    memset(args, 0, sizeof *args);
    args->sub = sub;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (!words_only && strcmp(word, "--") == 0) {
            words_only = true;
        } else if (!words_only && word[0] == '-' && word[1]) {
            bool lone = word[1] != '-' && strcmp(word, "-o") != 0;
            cs_status status = lone ? unknown(sub, word, err)
                                    : read_option(args, argc, argv, &i, err);
            if (status)
                return status;
        } else if (args->n_words < sub->max_words) {
            args->word[args->n_words++] = word;
        } else {
            cs_fail(err, CS_INPUT, "unexpected argument '%s'", word);
            cs_hint(err, "usage: chainscope %s %s", sub->name, sub->args);
            return CS_INPUT;
        }
    }
    if (args->n_words >= sub->least_words)
        return CS_OK;
    cs_fail(err, CS_INPUT, "%s: missing argument", sub->name);
    cs_hint(err, "usage: chainscope %s %s", sub->name, sub->args);
    return CS_INPUT;
}

const char *cs_args_value(const cs_args *args, const char *name)
{
    for (size_t i = 0; i < args->sub->n_options; i++)
        if (strcmp(args->sub->options[i].name, name) == 0)
            return args->value[i];
    return NULL;
}

cs_status cs_args_count(const cs_args *args, const char *name,
                        uint64_t fallback, uint64_t *out, cs_error *err)
{
    const char *text = cs_args_value(args, name);
    *out = fallback;
    if (!text)
        return CS_OK;
    char *end;
    double d = strtod(text, &end);
    if (end == text || *end || !(d >= 0 && d <= 9e15) || d != floor(d)) {
        cs_fail(err, CS_INPUT, "--%s %s is not a whole number", name, text);
        cs_hint(err, "give a number, such as --%s 20 or --%s 1e6", name, name);
        return CS_INPUT;
    }
    *out = (uint64_t)d;
    return CS_OK;
}
