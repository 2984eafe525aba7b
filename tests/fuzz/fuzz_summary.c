/* Fuzzes the reader of the inputs of `diff`. Each input is read as a journal,
 * and then as the summary.json of a run folder. */
#include "cli/diff/diff_read.h"
#include "fuzz.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void end_within(const char *text, size_t capacity)
{
    if (!memchr(text, 0, capacity))
        fuzz_broken("a name is not terminated");
}

/* Checks that every arm and every figure is found by its name, whichever index
 * the search starts from. */
static void look_up(const cs_saved_summary *s)
{
    end_within(s->target, sizeof s->target);
    for (size_t i = 0; i < s->n; i++) {
        const cs_saved_arm_summary *a = &s->arm[i];
        end_within(a->name, sizeof a->name);
        end_within(a->kernel, sizeof a->kernel);
        if (!cs_saved_arm_of(s, a->name, s->n - i))
            fuzz_broken("arm not found");
        for (size_t k = 0; k < a->n; k++)
            if (!cs_saved_figure_of(a, a->figure[k].name, a->n - k))
                fuzz_broken("figure not found");
    }
}

static void read_it(const char *path, bool wants_journal)
{
    cs_saved_summary s;
    cs_error err = {0};
    bool journal;
    cs_status status = cs_diff_read(path, &s, &journal, &err);
    if (status == CS_OK && journal != wants_journal)
        fuzz_broken("wrong kind: journal or folder");
    if (status == CS_OK)
        look_up(&s);
    else if (!err.what[0])
        fuzz_broken("error without a message");
    cs_saved_summary_free(&s);
}

static void one_input(const uint8_t *data, size_t size)
{
    if (rename(fuzz_file(data, size), "journal.txt") != 0)
        fuzz_broken("cannot rename the input");
    read_it("journal.txt", true);
    mkdir("folder", 0700);
    if (rename("journal.txt", "folder/summary.json") != 0)
        fuzz_broken("cannot rename the input");
    read_it("folder", false);
}

const fuzz_reader reader_summary = {.read = one_input};
