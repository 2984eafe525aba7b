#include "cli/models/model_answer.h"

#include "base/text.h"
#include "cli/front/follow_run.h"
#include "cli/front/front.h"
#include "cli/front/print_summary.h"
#include "cli/line/draw_words.h"
#include "cli/line/file_list.h"
#include "cli/line/stop.h"
#include "files/file.h"
#include "io/formats/gather_files.h"
#include "io/formats/other_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the session ---- */

/* Opens a scenario with the settings of the command line, as `run` does. */
static cs_status open_scenario(cs_client *c, const cs_args *args, cs_error *err)
{
    enum { FIELDS = 3 };
    static const char *const fields[FIELDS] = {"steps", "chains", "seed"};
    char text[FIELDS][64];
    const char *more[FIELDS + 4] = {"default_warmup=usual", "read=1"};
    size_t n = 2;
    if (cs_args_value(args, "full"))
        more[n++] = "full=1";
    for (size_t i = 0; i < FIELDS; i++) {
        uint64_t value;
        cs_status status = cs_args_count(args, fields[i], 0, &value, err);
        if (status)
            return status;
        snprintf(text[i], sizeof text[i], "%s=%llu", fields[i],
                 (unsigned long long)value);
        if (cs_args_value(args, fields[i]))
            more[n++] = text[i];
    }
    cs_status status = cs_front_open(c, args, more, err);
    return status ? status : cs_front_ask(c, "draws", NULL, err);
}

/* Prints the warnings of the run, such as chains that do not agree: the results
 * of such a run may be wrong. */
static cs_status print_warnings(cs_client *c, cs_model_answer *out,
                                cs_error *err)
{
    char *text = NULL;
    cs_status status = cs_front_hear(c, "summary warnings", &text, err);
    for (char *rest = text, *line;
         status == CS_OK && text && (line = strtok_r(rest, "\n", &rest));) {
        fprintf(stderr, "chainscope: %s: warning in arm %s\n", out->name, line);
        out->warned = true;
    }
    free(text);
    return status;
}

static cs_status fail_stopped(const char *name, cs_error *err)
{
    cs_fail(err, CS_STOPPED, "while running %s", name);
    cs_hint(err, "there are no results; --steps N makes shorter runs");
    return CS_STOPPED;
}

static cs_status query_session(cs_client *c, const cs_args *args, bool drawn,
                               const char *query, cs_model_answer *out,
                               cs_error *err)
{
    double reported = 0;
    cs_seen s = {0};
    cs_status status = cs_front_ask(c, "reports", NULL, err);
    if (status == CS_OK)
        status = drawn ? cs_front_open(c, args, NULL, err)
                       : open_scenario(c, args, err);
    if (status == CS_OK)
        status = cs_follow_budget(c, &reported, err);
    if (status == CS_OK && cs_stop_signal())
        status = fail_stopped(out->name, err);
    if (status == CS_OK)
        status = cs_front_ask(c, "pause", NULL, err);
    if (status == CS_OK)
        status = cs_front_hear(c, query, &out->text, err);
    if (status == CS_OK)
        status = print_warnings(c, out, err);
    if (status == CS_OK && cs_follow_see(c, &s))
        out->stopped = cs_print_summary_stopped(&s) > 0;
    return status;
}

/* Opens the file or folder in a session of its own. */
static cs_status ask(const cs_args *args, const char *path, bool drawn,
                     const char *query, cs_model_answer *out, cs_error *err)
{
    static cs_args one;
    cs_client *c;
    cs_front_options options = {0};
    one = *args;
    one.word[0] = path;
    one.n_words = 1;
    if (drawn)
        one.n_set = 0;
    cs_status status = cs_front_read(args, &options, err);
    if (status == CS_OK)
        status = cs_front_create(&c, &options, err);
    if (status)
        return status;
    status = query_session(c, &one, drawn, query, out, err);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    return status;
}

/* Adds the name of the model to an error that names no file. */
static void say_model(const char *name, cs_error *err)
{
    if (!*err->where && err->status != CS_STOPPED)
        cs_where(err, name, 0);
}

cs_status cs_model_ask(const cs_args *args, const char *word,
                       const char *groups, const char *query,
                       cs_model_answer *out, cs_error *err)
{
    static cs_file_list f;
    static cs_gathered g;
    const cs_gather_options how = {.groups = groups, .link = true};
    *out = (cs_model_answer){.text = NULL};
    cs_status status = cs_file_list_read(word, &f, err);
    out->named = f.named;
    snprintf(out->name, sizeof out->name, "%s", f.name);
    if (status == CS_OK)
        status = cs_draws_gather(f.path, f.n, &how, &g, err);
    if (status == CS_OK && !*g.folder)
        status = cs_other_file_refuse(f.path[0], false, err);
    out->misused = cs_draws_misused(status, err);
    if (status)
        return status;
    cs_draw_notes_print(g.notes.text);
    const char *path = *g.folder ? g.folder : f.path[0];
    if (!*g.folder && f.n > 1) {
        cs_fail(err, CS_INPUT, "'%s' is not a list of files of draws", word);
        cs_hint(err, "give one scenario or folder per model");
        status = CS_INPUT;
        out->misused = true;
    }
    if (status == CS_OK)
        status = ask(args, path, cs_is_folder(path), query, out, err);
    if (status)
        say_model(out->name, err);
    cs_gathered_free(&g);
    return status;
}

int cs_model_failed(const cs_model_answer *asked, const cs_error *err)
{
    int code = cs_complain(err);
    return asked->misused ? CS_EXIT_USAGE : code;
}

bool cs_model_line(char **text, char **field, size_t n)
{
    char *at = *text;
    if (!at || !*at)
        return false;
    char *end = strchr(at, '\n');
    if (end)
        *end = 0;
    *text = end ? end + 1 : NULL;
    for (size_t i = 0; i < n; i++) {
        char *tab = strchr(at, '\t');
        field[i] = at;
        if ((tab == NULL) != (i + 1 == n))
            return false;
        if (tab)
            *tab++ = 0;
        at = tab;
    }
    return true;
}
