#include "cli/diff/diff_others.h"

#include "cli/front/follow_run.h"
#include "cli/front/front.h"
#include "cli/line/draw_words.h"
#include "cli/line/file_list.h"
#include "cli/line/stop.h"
#include "files/file.h"
#include "io/saved_summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_summary(const char *folder)
{
    char path[CS_GATHER_PATH + 16];
    int n = snprintf(path, sizeof path, "%s/summary.json", folder);
    return n > 0 && n < (int)sizeof path && access(path, F_OK) == 0;
}

/* Reads the draws in a session, and writes the summary to the folder. */
static cs_status summarise(cs_client *c, const cs_args *args, cs_error *err)
{
    char path[CS_GATHER_PATH + 16], *text = NULL;
    double reported = 0;
    cs_status status = cs_front_ask(c, "reports", NULL, err);
    if (status == CS_OK)
        status = cs_front_open(c, args, NULL, err);
    if (status == CS_OK)
        status = cs_follow_budget(c, &reported, err);
    cs_stop_finish();
    if (status == CS_OK)
        status = cs_front_ask(c, "pause", NULL, err);
    if (status == CS_OK)
        status = cs_front_hear(c, "summary json", &text, err);
    snprintf(path, sizeof path, "%s/summary.json", args->word[0]);
    if (status == CS_OK)
        status = cs_file_create(path, text, strlen(text), err);
    free(text);
    return status;
}

static cs_status add_summary(const cs_args *args, const char *folder,
                             cs_error *err)
{
    static cs_args one;
    cs_client *c;
    const cs_front_options options = {0};
    one = (cs_args){.sub = args->sub, .word = {folder}, .n_words = 1};
    cs_status status = cs_front_create(&c, &options, err);
    if (status)
        return status;
    status = summarise(c, &one, err);
    cs_client_close(c, 3000);
    cs_client_destroy(c);
    return status;
}

/* Writes the name of the only arm of a run to arm[size]; "" if there are
 * several. */
static void only_arm(const char *folder, char *arm, size_t size)
{
    cs_saved_summary s = {0};
    if (cs_saved_summary_read(folder, &s, NULL) == CS_OK && s.n == 1)
        snprintf(arm, size, "%s", s.arm[0].name);
    cs_saved_summary_free(&s);
}

cs_status cs_diff_gather(const cs_args *args, cs_gathered out[2],
                         const char *path[2], const char *name[2],
                         cs_error *err)
{
    static cs_file_list list[2];
    char arm[208] = "";
    cs_status status = CS_OK;
    for (size_t i = 0; i < 2 && status == CS_OK; i++) {
        status = cs_file_list_read(path[i], &list[i], err);
        if (status == CS_OK && list[i].named)
            name[i] = list[i].name;
        if (status == CS_OK && list[i].n == 1)
            path[i] = list[i].path[0];
        if (status == CS_OK && has_summary(path[i]))
            only_arm(path[i], arm, sizeof arm);
    }
    cs_gather_options how = {.arm = *arm ? arm : NULL, .convert = true};
    for (size_t i = 0; i < 2 && status == CS_OK; i++) {
        if (has_summary(path[i]))
            continue;
        how.only = list[i].n > 1;
        status = cs_draws_gather(list[i].path, list[i].n, &how, &out[i], err);
        if (status || !*out[i].folder)
            continue;
        path[i] = out[i].folder;
        cs_draw_notes_print(out[i].notes.text);
        status = add_summary(args, path[i], err);
    }
    return status;
}
