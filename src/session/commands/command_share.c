/* Implements `share`: prints a shell command that reproduces the open run. */
#include "base/memory.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "session/commands/command.h"
#include "session/state/opened.h"

#include <stdio.h>
#include <string.h>

/* Returns true if the word needs no quotes in a shell. */
static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./=,:+@%";
    return *word && strspn(word, plain) == strlen(word);
}

static void put_word(cs_page *p, const char *word)
{
    if (is_plain(word)) {
        cs_page_put(p, " %s", word);
        return;
    }
    cs_page_put(p, " '");
    for (; *word; word++)
        cs_page_put(p, *word == '\'' ? "'\\''" : "%c", *word);
    cs_page_put(p, "'");
}

static bool is_set(const cs_session *s, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < s->sets.n; i++)
        if (strncmp(s->sets.set[i], name, n) == 0 && s->sets.set[i][n] == '=')
            return true;
    return false;
}

/* Returns true if --set can reproduce all changes. This requires that no
 * changes were made after the start of the run, and that all changes at the
 * start set numbers. */
static bool is_in_sets(const cs_session *s)
{
    const cs_change *c;
    size_t n = cs_run_journal(s->open.run, &c);
    for (size_t i = 0; i < n; i++) {
        char name[160];
        bool run = c[i].arm == CS_NO_ARM;
        if (run && strncmp(c[i].what, "target.", 7) != 0)
            /* skips settings of the number of workers and of budgets */
            continue;
        snprintf(name, sizeof name, "%s.%s",
                 run ? "" : cs_run_arm_name(s->open.run, c[i].arm), c[i].what);
        if (c[i].step > 0 || run || !is_set(s, name))
            return false;
    }
    return true;
}

static void put_sets(const cs_session *s, cs_page *p)
{
    char seed[40];
    snprintf(seed, sizeof seed, "seed=%llu",
             (unsigned long long)cs_run_seed(s->open.run));
    cs_page_put(p, " --set %s", seed);
    for (size_t i = 0; i < s->sets.n; i++)
        if (strncmp(s->sets.set[i], "seed=", 5) != 0) {
            cs_page_put(p, " --set");
            put_word(p, s->sets.set[i]);
        }
}

/* Writes "chainscope FILE ... --at STEP --layout 'map trace'". word[n] are the
 * names of the panels. */
static void put_line(const cs_session *s, const char *file, bool sets,
                     char **word, size_t n, cs_page *p)
{
    cs_page panels = {0};
    cs_page_put(p, "chainscope");
    put_word(p, file);
    if (sets && !s->open.watch) /* the option --set does not apply to draws that
                                 * are read from files */
        put_sets(s, p);
    cs_page_put(p, " --at %llu", (unsigned long long)cs_run_steps(s->open.run));
    for (size_t i = 0; i < n; i++)
        cs_page_put(&panels, "%s%s", i ? " " : "", word[i]);
    if (n && !panels.full) {
        cs_page_put(p, " --layout");
        put_word(p, panels.text);
    }
    p->full |= panels.full;
    cs_free(panels.text);
}

static bool is_script(const char *word)
{
    const char *dot = strrchr(word, '.');
    return dot && strcmp(dot, ".lua") == 0;
}

/* Implements share [FILE.lua] [panels WORD ...]. */
cs_status cs_command_share(cs_session *s, char **word, size_t n, cs_error *err)
{
    char *file = n && is_script(word[1]) ? word[1] : NULL;
    size_t first = file ? 2 : 1;
    bool panels = n >= first && strcmp(word[first], "panels") == 0;
    cs_page p = {0};
    if (n >= first && !panels) {
        cs_fail(err, CS_INPUT, "share: expected FILE.lua, or no argument");
        cs_hint(err,
                "to save changes made during the run, type: share mine.lua");
        return CS_INPUT;
    }
    if (!file && (!is_in_sets(s) || cs_opened_differs(&s->open))) {
        cs_fail(
            err, CS_UNSUPPORTED,
            cs_opened_differs(&s->open)
                ? "the recorded scenario differs from its file"
                : "a command line cannot contain changes made during the run");
        cs_hint(err, "save the changes in a file: share NAME.lua");
        return CS_UNSUPPORTED;
    }
    char *save[] = {NULL, file};
    cs_status status = file ? cs_command_save(s, save, 1, err) : CS_OK;
    if (status)
        return status;
    put_line(s, file ? file : s->open.file, !file, word + first + 1,
             panels ? n - first : 0, &p);
    if (p.full)
        status = cs_fail(err, CS_MEMORY, "out of memory for the shell command");
    else
        cs_message_text(&s->front.out, p.text);
    cs_free(p.text);
    return status;
}
