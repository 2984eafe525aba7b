#include "cli/line/draw_words.h"

#include "base/text.h"
#include "io/formats/gather_files.h"

#include <stdio.h>
#include <string.h>

void cs_draw_notes_print(const char *notes)
{
    char line[900], clean[900];
    for (const char *at = notes; at && *at;) {
        size_t n = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, at);
        cs_text_clean(line, clean, sizeof clean);
        fprintf(stderr, "chainscope: %s\n", clean);
        at += n + (at[n] == '\n');
    }
}

/* Fails if several words remain that are not draws. */
static cs_status refuse_words(const cs_args *args, cs_error *err)
{
    if (args->n_words < 2 || args->sub->draws != CS_TAKES_OPEN)
        return CS_OK;
    cs_fail(err, CS_INPUT, "unexpected argument '%s'", args->word[1]);
    cs_hint(err, "usage: chainscope %s %s", args->sub->name, args->sub->args);
    return CS_INPUT;
}

/* The screen shows the notes as messages of the session. */
static bool has_screen(const cs_args *args)
{
    return strcmp(args->sub->name, "screen") == 0 ||
           strcmp(args->sub->name, "watch") == 0;
}

/* The groups that predictive checks need. */
static const char checks[] = "~posterior_predictive,~log_likelihood";

/* Returns true for a sub-command that shows predictive checks. */
static bool has_checks(const cs_args *args)
{
    return has_screen(args) || strcmp(args->sub->name, "report") == 0 ||
           strcmp(args->sub->name, "shot") == 0;
}

static cs_status gather(cs_args *args, cs_gathered *g, cs_error *err)
{
    cs_draws_use use = args->sub->draws;
    const char *groups = cs_args_value(args, "groups");
    const cs_gather_options how = {.groups = groups             ? groups
                                             : has_checks(args) ? checks
                                                                : NULL,
                                   .link = use != CS_TAKES_LIST,
                                   .only = use != CS_TAKES_OPEN,
                                   .tell = has_screen(args)};
    cs_status status = cs_draws_gather(args->word, args->n_words, &how, g, err);
    if (status || !*g->folder)
        return status ? status : refuse_words(args, err);
    memcpy(args->given, args->word, args->n_words * sizeof *args->word);
    args->n_given = args->n_words;
    args->word[0] = g->folder;
    args->n_words = 1;
    args->notes = g->notes.text ? g->notes.text : "";
    return CS_OK;
}

bool cs_draws_misused(cs_status status, const cs_error *err)
{
    return status == CS_UNKNOWN || (status == CS_INPUT && !*err->where);
}

int cs_draws_main(cs_args *args)
{
    static cs_gathered gathered;
    cs_error err = {0};
    if (args->sub->draws == CS_TAKES_NONE || args->n_words == 0)
        return args->sub->main(args);
    int direct;
    if (args->sub->direct && args->sub->direct(args, &direct))
        return direct;
    cs_status status = gather(args, &gathered, &err);
    if (status == CS_OK && !has_screen(args))
        cs_draw_notes_print(args->notes);
    int code = status == CS_OK ? args->sub->main(args) : cs_complain(&err);
    if (cs_draws_misused(status, &err))
        code = CS_EXIT_USAGE;
    cs_gathered_free(&gathered);
    return code;
}
