/* chainscope describe NAME: everything a registry's rows say about it. */
#include "base/text.h"
#include "cli/catalogue.h"
#include "cli/subcommand.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMES = 512 };

static const char *text(const char *s)
{
    return s ? s : "";
}

static void show_range(const cs_param *p)
{
    if (p->kind == CS_PARAM_CHOICE) {
        printf("one of");
        for (size_t i = 0; p->choices && p->choices[i]; i++)
            printf(" %s", p->choices[i]);
    } else if (p->kind == CS_PARAM_ARRAY) {
        printf("numbers");
    } else if (p->kind == CS_PARAM_TEXT) {
        printf("a text");
    } else if (p->kind == CS_PARAM_BOOL) {
        printf("true or false");
    } else {
        printf("%s", p->kind == CS_PARAM_INT ? "whole, " : "");
        if (fabs(p->min) < HUGE_VAL && fabs(p->max) < HUGE_VAL)
            printf("%g to %g", p->min, p->max);
        else if (fabs(p->min) < HUGE_VAL)
            printf("at least %g", p->min);
        else if (fabs(p->max) < HUGE_VAL)
            printf("at most %g", p->max);
        else
            printf("any");
    }
    if (p->unit && p->unit[0])
        printf(", in %s", p->unit);
}

static void show_default(const cs_param *p)
{
    if (p->flags & CS_PARAM_REQUIRED)
        printf("; required");
    else if (p->kind == CS_PARAM_CHOICE)
        printf("; default %s", p->choices[(size_t)p->def]);
    else if (p->kind == CS_PARAM_BOOL)
        printf("; default %s", p->def != 0 ? "true" : "false");
    else if (p->kind < CS_PARAM_ARRAY)
        printf("; default %g", p->def);
}

static void show(const cs_catalogue *c, const cs_entry *e)
{
    printf("%s %s: %s\n", c->one, e->name, text(e->title));
    if (e->notes[0])
        printf("  %s\n", e->notes);
    if (text(e->ref)[0])
        printf("  %s\n", e->ref);
    if (text(e->help)[0])
        printf("\n%s\n", e->help);
    if (e->n_params)
        printf("\nparameters\n");
    for (size_t i = 0; i < e->n_params; i++) {
        const cs_param *p = &e->params[i];
        printf("  %-14s ", p->name);
        show_range(p);
        show_default(p);
        printf("\n");
        if (text(p->help)[0])
            printf("  %-14s %s\n", "", p->help);
        if (text(p->ref)[0])
            printf("  %-14s (%s)\n", "", p->ref);
    }
}

static int describe(const cs_args *args)
{
    static const char *names[NAMES + 1];
    const cs_catalogue *c;
    cs_entry e;
    size_t found = 0, n = 0;
    for (size_t i = 0; (c = cs_catalogue_at(i)); i++)
        for (size_t k = 0; c->at(k, &e); k++) {
            if (n < NAMES)
                names[n++] = e.name;
            if (strcmp(e.name, args->word[0]) != 0)
                continue;
            if (found++)
                printf("\n");
            show(c, &e);
        }
    if (found)
        return CS_EXIT_OK;
    cs_error err;
    cs_fail(&err, CS_UNKNOWN, "nothing is called '%s'", args->word[0]);
    const char *near = cs_text_nearest(args->word[0], names);
    if (near)
        cs_mend(&err, "did you mean '%s'?", near);
    else
        cs_mend(&err, "chainscope list shows the names");
    return cs_complain(&err);
}

const cs_subcommand cs_subcommand_describe = {
    .name = "describe",
    .args = "NAME",
    .help =
        "a kernel, target, schedule or probe with its parameters, a scenario",
    .more = "",
    .least_words = 1,
    .most_words = 1,
    .main = describe,
};
