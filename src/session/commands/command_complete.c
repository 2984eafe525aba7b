/* Completes an input line. The host completes Lua, and this file completes
 * commands. */
#include "run/arms/arms.h"
#include "run/history/event_list.h"
#include "run/views/view.h"
#include "session/commands/command.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 200 };

typedef struct offer {
    cs_flat *out;
    const char *word; /* the incomplete word */
    unsigned n;
} offer;

static void propose(offer *o, const char *text)
{
    if (strncmp(text, o->word, strlen(o->word)) == 0 && o->n < MOST)
        cs_flat_text(o->out, text, "%u", o->n++);
}

static void propose_commands(offer *o)
{
    const cs_command *c;
    for (size_t i = 0; (c = cs_command_at(i)); i++)
        propose(o, c->name);
}

/* Proposes files. Proposed folders end in a slash because another component of
 * the path can follow. */
static void propose_files(offer *o)
{
    char pattern[1024];
    glob_t found;
    if (strpbrk(o->word, "*?[\\"))
        return;
    snprintf(pattern, sizeof pattern, "%s*", o->word);
    if (glob(pattern, GLOB_MARK, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            propose(o, found.gl_pathv[i]);
    globfree(&found);
}

static void propose_arms(offer *o, const cs_run *run)
{
    for (size_t i = 0; i < cs_run_arms(run); i++)
        propose(o, cs_run_arm_name(run, i));
}

/* Proposes "ARM.NAME", and also "NAME" if the arm is selected. */
static void propose_of_arm(offer *o, const cs_session *s, size_t arm,
                           const char *name)
{
    char text[320];
    snprintf(text, sizeof text, "%s.%s", cs_run_arm_name(s->open.run, arm),
             name);
    propose(o, text);
    if (arm == s->look.arm)
        propose(o, name);
}

/* Proposes parameters of the arms, fields of the schedules that drive these
 * parameters, and parameters of the target ("target.beta") that may change
 * during a run. */
static void propose_params(offer *o, const cs_session *s)
{
    const cs_target *t = cs_run_target(s->open.run);
    for (size_t i = 0; i < cs_run_arms(s->open.run); i++) {
        cs_arm_view arm = cs_run_arm(s->open.run, i);
        const cs_kernel_type *type = arm.kernel->type;
        for (size_t k = 0; k < type->n_params; k++) {
            const cs_schedule *driven =
                arm.plan->driven[k] ? cs_plan_schedule(arm.plan, k) : NULL;
            char text[160];
            propose_of_arm(o, s, i, type->params[k].name);
            for (size_t f = 0; driven && f < driven->type->n_params; f++) {
                snprintf(text, sizeof text, "%s.%s", type->params[k].name,
                         driven->type->params[f].name);
                propose_of_arm(o, s, i, text);
            }
        }
    }
    for (size_t k = 0; k < t->type->n_params; k++) {
        char text[160];
        snprintf(text, sizeof text, "target.%s", t->type->params[k].name);
        if (t->type->params[k].kind == CS_PARAM_REAL)
            propose(o, text);
    }
}

/* Completes word number n, from 1, of "set PARAM KIND FIELD=...". */
static void propose_schedule(offer *o, const char *line, size_t n)
{
    const cs_schedule_type *type;
    char kind[64], text[80];
    for (size_t i = 0; n == 2 && (type = cs_schedule_at(i)); i++)
        propose(o, type->name);
    if (n < 3 || sscanf(line, "%*s %*s %63s", kind) != 1 ||
        !(type = cs_schedule_find(kind)))
        return;
    for (size_t i = 0; i < type->n_params; i++) {
        snprintf(text, sizeof text, "%s=", type->params[i].name);
        propose(o, text);
    }
}

static void propose_events(offer *o)
{
    propose(o, "any");
    for (size_t k = 0; cs_event_word(k); k++)
        propose(o, cs_event_word(k));
}

static void propose_breaks(offer *o)
{
    for (size_t i = 0; cs_break_word(i); i++)
        propose(o, cs_break_word(i));
}

static void propose_starts(offer *o, const cs_run *run)
{
    static const char *const words[] = {"at",    "from", "all",
                                        "prior", "mode", "worst"};
    if (run)
        propose_arms(o, run);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        propose(o, words[i]);
}

/* Completes word number n, from 1, of "arm add KERNEL NAME=..." and similar
 * lines. */
static void propose_change(offer *o, const cs_run *run, const char *line,
                           size_t n)
{
    static const char *const how[] = {"add",     "clone",  "drop",
                                      "restore", "rename", "kernel"};
    char first[16] = "", kernel[2][64] = {"", ""}, text[80];
    const cs_kernel_type *type;
    int words = sscanf(line, "%*s %15s %63s %63s", first, kernel[0], kernel[1]);
    bool other = strcmp(first, "kernel") == 0;
    bool makes = other || strcmp(first, "add") == 0;
    for (size_t i = 0; n == 1 && i < sizeof how / sizeof *how; i++)
        propose(o, how[i]);
    if (n == 2 && run && (other || !makes))
        propose_arms(o, run);
    for (size_t i = 0; makes && n == 2u + other && (type = cs_kernel_at(i));
         i++)
        if (!(type->flags & CS_KERNEL_HIDDEN))
            propose(o, type->name);
    type = makes && words >= 2 + other && n > 2u + other
               ? cs_kernel_find(kernel[other])
               : NULL;
    for (size_t i = 0; type && i < type->n_params; i++) {
        snprintf(text, sizeof text, "%s=", type->params[i].name);
        propose(o, text);
    }
}

/* Completes word number n, from 1, after the command's name. */
static void propose_word(offer *o, const cs_session *s, const cs_command *c,
                         const char *line, size_t n)
{
    bool run = s->open.run != NULL;
    if (c->word == CS_WORD_FILE && n == 1)
        propose_files(o);
    else if (c->word == CS_WORD_ARM && run && n == 1)
        propose_arms(o, s->open.run);
    else if (c->word == CS_WORD_PARAM && run && n == 1)
        propose_params(o, s);
    else if (c->word == CS_WORD_PARAM)
        propose_schedule(o, line, n);
    else if (c->word == CS_WORD_WAY && n == 1)
        propose(o, "next"), propose(o, "previous");
    else if (c->word == CS_WORD_WAY && n == 2)
        propose_events(o);
    else if (c->word == CS_WORD_BREAK && n == 1)
        propose_breaks(o);
    else if (c->word == CS_WORD_CHANGE)
        propose_change(o, run ? s->open.run : NULL, line, n);
    else if (c->word == CS_WORD_START)
        propose_starts(o, run ? s->open.run : NULL);
    else if (run && (c->word == CS_WORD_WAY || c->word == CS_WORD_BREAK))
        propose_arms(o, s->open.run);
}

static size_t blanks(const char *line)
{
    size_t n = 0;
    for (; *line; line++)
        n += *line == ' ';
    return n;
}

static void complete_command(const cs_session *s, const char *line,
                             cs_flat *out)
{
    const char *last = strrchr(line, ' ');
    offer o = {.out = out, .word = last ? last + 1 : line};
    if (!last) {
        propose_commands(&o);
        return;
    }
    const cs_command *c = cs_command_named(line);
    if (c)
        propose_word(&o, s, c, line, blanks(line));
}

cs_status cs_command_complete(cs_session *s, char **word, size_t n,
                              cs_error *err)
{
    (void)n, (void)err;
    cs_flat table;
    cs_flat_begin(&table, s->front.out.body, CS_WIRE_BYTES);
    if (word[1][0] == ':')
        complete_command(s, word[1] + 1, &table);
    else
        s->host->complete(s->host->self, word[1], &table);
    s->front.out.table = 1;
    s->front.out.size = (uint32_t)table.used;
    return CS_OK;
}
