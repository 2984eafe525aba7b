/* chainscope list: what there is. */
#include "base/text.h"
#include "cli/catalogue/catalogue.h"
#include "cli/line/subcommand.h"

#include <stdio.h>
#include <string.h>

static void show(const cs_catalogue *c)
{
    cs_entry e;
    int width = 0;
    for (size_t i = 0; c->at(i, &e); i++) {
        int wide = (int)strlen(e.name);
        width = wide > width ? wide : width;
    }
    printf("%s\n", c->name);
    for (size_t i = 0; c->at(i, &e); i++)
        printf("  %-*s  %s\n", width, e.name, e.title);
}

static bool is_asked(const cs_args *args, const cs_catalogue *c)
{
    return !args->n_words || strcmp(args->word[0], c->name) == 0;
}

static int list(const cs_args *args)
{
    const char *names[16] = {NULL};
    bool found = false;
    const cs_catalogue *c;
    cs_error err;
    if (cs_catalogues_read(args->n_words ? args->word[0] : NULL, &err))
        return cs_complain(&err);
    for (size_t i = 0; (c = cs_catalogue_at(i)) && i < 15; i++) {
        names[i] = c->name;
        if (!is_asked(args, c))
            continue;
        if (found)
            printf("\n");
        show(c);
        found = true;
    }
    if (found)
        return CS_EXIT_OK;
    cs_fail(&err, CS_UNKNOWN, "there is no list of '%s'", args->word[0]);
    const char *near = cs_text_nearest(args->word[0], names);
    cs_hint(&err, "did you mean '%s'?", near ? near : names[0]);
    cs_complain(&err);
    return CS_EXIT_USAGE;
}

const cs_subcommand cs_subcommand_list = {
    .name = "list",
    .args = "[KIND]",
    .help = "what there is: kernels, targets, schedules, tuners, optimisers, "
            "probes, scenarios, papers",
    .more = "",
    .most_words = 1,
    .main = list,
};
