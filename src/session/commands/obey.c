/* The commands of the session: what the screen's keys, the console's lines
 * and the sub-commands send. */
#include "base/count.h"
#include "base/memory.h"
#include "base/renamed.h"
#include "base/text.h"
#include "run/arms/arms.h"
#include "run/history/changes.h"
#include "session/commands/command.h"

#include <stdio.h>
#include <string.h>

static cs_status quit(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word, (void)n, (void)err;
    s->front.quit = true;
    return CS_OK;
}

static cs_status help(cs_session *s, char **word, size_t n, cs_error *err);

static const cs_command table[] = {
    {.name = "open",
     .args = "FILE [arm.param=value ...]",
     .help = "open a scenario, or the run of a recording (.cast)",
     .least = 1,
     .word = CS_WORD_FILE,
     .obey = cs_command_open},
    {.name = "gallery",
     .args = "[FROM [COUNT [claims | recent]]]",
     .help =
         "the scenarios there are, the first is number 0; claims: runs them "
         "to count what they say beside a paper; recent: with the files that "
         "were opened lately and those beneath $XDG_DATA_HOME",
     .obey = cs_command_gallery},
    {.name = "lesson",
     .args = "[FOLDER/NAME]",
     .help = "open the scenario that shows what the arm's first warning is "
             "about, or another of the gallery",
     .instead = "G has the way back to the run",
     .obey = cs_command_lesson},
    {.name = "recent",
     .args = "FILE",
     .help = "put a file first among those that were opened lately",
     .least = 1,
     .word = CS_WORD_FILE,
     .obey = cs_command_recent},
    {.name = "run",
     .args = "[STEPS]",
     .help = "let the chains run",
     .flags = CS_COMMAND_NEEDS_RUN,
     .instead = "steps are taken back by , and <",
     .obey = cs_command_run},
    {.name = "pause",
     .args = "",
     .help = "stop at the next step",
     .obey = cs_command_pause},
    {.name = "toggle",
     .args = "",
     .help = "run or pause",
     .flags = CS_COMMAND_NEEDS_RUN,
     .instead = "space pauses; steps are taken back by , and <",
     .obey = cs_command_toggle},
    {.name = "step",
     .args = "[STEPS]",
     .help = "make steps, then pause",
     .flags = CS_COMMAND_NEEDS_RUN,
     .instead = "steps are taken back by , and <",
     .obey = cs_command_step},
    {.name = "speed",
     .args = "STEPS",
     .help = "steps per second, 0 = no limit",
     .least = 1,
     .obey = cs_command_speed},
    {.name = "set",
     .args = "[arm.]PARAM[.FIELD]=VALUE",
     .help =
         "change a parameter, or its schedule: a field, step.max=3, or all, "
         "step cosine max=3 min=1",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .least = 1,
     .word = CS_WORD_PARAM,
     .obey = cs_command_set},
    {.name = "start",
     .args = "[ARM] [CHAIN | all] at X Y ... | at 1=X 2=Y | from prior | from "
             "mode N | from worst",
     .help = "put a chain somewhere, all of an arm: at a state (1=X: of that "
             "coordinate alone), where a chain might begin, at a mode of the "
             "target, where the chain with the lowest log p is",
     .flags = CS_COMMAND_NEEDS_RUN,
     .least = 2,
     .word = CS_WORD_START,
     .obey = cs_command_start},
    {.name = "hill",
     .args = "[add X Y [WIDTH [WEIGHT]] | N at X Y | N width W | N weight W | "
             "drop N]",
     .help = "of a landscape, a mixture in the plane: put up a hill, move, "
             "widen, weigh, remove one; alone: lists them",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_hill},
    {.name = "arm",
     .args = "add KERNEL [PARAM=VALUE ...] [as NAME] | clone ARM [as NAME] | "
             "drop ARM | restore ARM | rename ARM NAME | kernel ARM KERNEL "
             "[PARAM=VALUE ...]",
     .help = "change the arms while they run: a new one makes the steps that "
             "the others have made",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .least = 1,
     .word = CS_WORD_CHANGE,
     .obey = cs_command_arms},
    {.name = "restart",
     .args = "",
     .help = "open again, with what was set",
     .flags = CS_COMMAND_NEEDS_RUN,
     .instead = "a run that was left is gone: :save keeps one",
     .obey = cs_command_restart},
    {.name = "reload",
     .args = "[careful]",
     .help = "the file as it is now: arms that are in it as they were go on, "
             "others begin anew; careful: only where no arm is lost",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .obey = cs_command_reload},
    {.name = "seed",
     .args = "[SEED]",
     .help = "start again with another seed",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .instead = "a run that was left is gone: :save keeps one",
     .obey = cs_command_reseed},
    {.name = "rewind",
     .args = "-STEPS | +STEPS | to STEP",
     .help = "go back by so many steps, on again by so many, or to a step",
     .flags = CS_COMMAND_NEEDS_RUN,
     .least = 1,
     .instead = "where the run stands is chosen by [ ] and . ,",
     .obey = cs_command_rewind},
    {.name = "undo",
     .args = "",
     .help = "what was set last is set back, now: a parameter, an arm, the "
             "speed",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_undo},
    {.name = "redo",
     .args = "",
     .help = "what was undone last is done again",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_redo},
    {.name = "course",
     .args = "",
     .help = "after a change in the past that made no arm: the course before "
             "it, and back again",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .obey = cs_command_course},
    {.name = "event",
     .args = "next | previous [KIND] [ARM [CHAIN]]",
     .help = "go to where something happened to a chain, or will: KIND is any, "
             "visit, jump, reject, divergence, swap, stop or change",
     .flags = CS_COMMAND_NEEDS_RUN,
     .least = 1,
     .word = CS_WORD_WAY,
     .instead = "where the run stands is chosen by [ ] and . ,",
     .obey = cs_command_event},
    {.name = "break",
     .args = "[KIND [N] [ARM [CHAIN]] | FIGURE < N [ARM] | off [N]]",
     .help = "hold the run where it happens: mode N, visit, jump, reject N, "
             "divergence, swap, stop; rhat < N, ess > N, modes = all, steps, "
             "gradients, log_densities or seconds > N; alone: those there are",
     .flags = CS_COMMAND_NEEDS_RUN,
     .word = CS_WORD_BREAK,
     .obey = cs_command_break},
    {.name = "look",
     .args = "ARM [CHAIN [COORD]]",
     .help = "select arm, chain, coordinate (= keeps, + - step)",
     .flags = CS_COMMAND_NEEDS_RUN,
     .least = 1,
     .word = CS_WORD_ARM,
     .obey = cs_command_look},
    {.name = "logp",
     .args = "",
     .help = "log p of the chain that is looked at, by the target; beside the "
             "kernel's estimate",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_logp},
    {.name = "ratios",
     .args = "[on | off]",
     .help = "true acceptance ratios beside the kernel's estimates, of the "
             "chain that is looked at, from the next step on; alone: the other "
             "of both",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .obey = cs_command_ratios},
    {.name = "line",
     .args = "[COORD [LOW HIGH] | modes I J | chains I J]",
     .help = "along what the panel line shows the energy; alone: the "
             "coordinate that is looked at",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_line},
    {.name = "pictures",
     .args = "N",
     .help = "show the states of so many chains of each arm",
     .least = 1,
     .obey = cs_command_pictures},
    {.name = "key",
     .args = "PANEL LETTER",
     .help = "what a panel of the scenario's own does on that key",
     .flags = CS_COMMAND_NEEDS_RUN,
     .least = 2,
     .instead = "the panel's own function says what leads back",
     .obey = cs_command_key},
    {.name = "reports",
     .args = "[PROBE ...]",
     .help = "what is looked at: * all, alone nothing; the rest is not made",
     .obey = cs_command_reports},
    {.name = "lua",
     .args = "CODE",
     .help = "run a line of Lua",
     .flags = CS_COMMAND_RAW,
     .least = 1,
     .instead = "what Lua did stays: set back what it set",
     .obey = cs_command_lua},
    {.name = "chunk",
     .args = "CODE",
     .help = "run Lua, its output as it comes",
     .flags = CS_COMMAND_RAW,
     .least = 1,
     .obey = cs_command_chunk},
    {.name = "complete",
     .args = "LINE",
     .help = "completions of Lua, or of a command after a colon",
     .flags = CS_COMMAND_RAW,
     .obey = cs_command_complete},
    {.name = "save",
     .args = "FILE",
     .help = "keep the run as it is in NAME.checkpoint; NAME.lua: its changes, "
             "as a script",
     .flags = CS_COMMAND_NEEDS_RUN,
     .least = 1,
     .word = CS_WORD_FILE,
     .instead = "files that were written stay: remove them yourself",
     .obey = cs_command_save},
    {.name = "share",
     .args = "[FILE.lua]",
     .help =
         "a line for a shell that makes again what is seen; where something "
         "was changed on the way, with that in FILE.lua",
     .flags = CS_COMMAND_NEEDS_RUN,
     .word = CS_WORD_FILE,
     .obey = cs_command_share},
    {.name = "load",
     .args = "FILE",
     .help = "go on with what was kept",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .least = 1,
     .word = CS_WORD_FILE,
     .instead = "a run that was left is gone: :save keeps one",
     .obey = cs_command_load},
    {.name = "journal",
     .args = "[inputs]",
     .help = "what was changed so far, at which step; replay reads it; with "
             "inputs the scenario's text too, as recordings carry it",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_journal},
    {.name = "replay",
     .args = "FILE [STEP]",
     .help = "make the changes of a journal.txt again, at their steps; of a "
             "recording (.cast) of the open scenario the run anew, up to that "
             "step",
     .least = 1,
     .word = CS_WORD_FILE,
     .instead = "a run that was left is gone: :save keeps one",
     .obey = cs_command_replay},
    {.name = "out",
     .args =
         "[DIR [thin=N] [save_warmup] [checkpoint=SECONDS] [force] [resume] "
         "[merge=DIR ...]]",
     .help = "start writing draws to DIR; without DIR: stop",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .word = CS_WORD_FILE,
     .instead = "files that were written stay: remove them yourself",
     .obey = cs_command_write},
    {.name = "summary",
     .args = "[markdown | latex | html | json | csv | warnings] [all | "
             "show=NAME,...]",
     .help = "what the chains say so far; of more quantities than the scalars "
             "and the worst; as tables, with the claims; only the kinds of "
             "warnings",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_summary},
    {.name = "claims",
     .args = "[table | again]",
     .help = "what the scenario claims, judged now; again: by the results kept",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_claims},
    {.name = "results",
     .args = "claims | figures | ranks | keep LINES",
     .help = "what was measured, for who gathers runs; keep: that of another",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_RAW,
     .least = 1,
     .obey = cs_command_results},
    {.name = "check",
     .args = "[SECONDS] [law NAME] [arm NAME] [format json] | kept",
     .help = "the law book, on this target and its kernels; kept: as they were "
             "found before",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .obey = cs_command_check},
    {.name = "tape",
     .args = "[WIDTH [MOST]]",
     .help = "what a traced target computes, and how long it takes",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .obey = cs_command_tape},
    {.name = "schedules",
     .args = "",
     .help = "what drives the parameters of the kernels, by which steps it "
             "counts, its first and last values",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .obey = cs_command_schedules},
    {.name = "help", .args = "", .help = "this list", .obey = help},
    {.name = "quit", .args = "", .help = "end the session", .obey = quit},
};

enum { N_COMMANDS = sizeof table / sizeof *table };

static cs_status help(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word, (void)n, (void)err;
    char text[4096];
    size_t at = 0;
    for (size_t i = 0; i < N_COMMANDS && at < sizeof text; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s %s -- %s\n",
                               table[i].name, table[i].args, table[i].help);
    cs_message_text(&s->front.out, text);
    return CS_OK;
}

const cs_command *cs_command_at(size_t i)
{
    return i < N_COMMANDS ? &table[i] : NULL;
}

const cs_command *cs_command_named(const char *line)
{
    size_t n = strcspn(line, " \t\n");
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strlen(table[i].name) == n && strncmp(table[i].name, line, n) == 0)
            return &table[i];
    return NULL;
}

static const cs_command *find(const char *name, cs_error *err)
{
    const char *names[N_COMMANDS + 1] = {NULL};
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
        names[i] = table[i].name;
    }
    if (cs_fail_renamed(err, "commands", "command", name))
        return NULL;
    cs_fail(err, CS_UNKNOWN, "there is no command '%s'", name);
    const char *near = cs_text_nearest(name, names);
    cs_hint(err, near ? "did you mean '%s'?" : "help lists them", near);
    return NULL;
}

static cs_status refuse_watched(const cs_session *s, const cs_command *c,
                                cs_error *err)
{
    cs_fail(err, CS_UNSUPPORTED,
            "%s is of steps that are made here: these draws are read from "
            "%.200s",
            c->name, s->open.file);
    cs_hint(err, "open the scenario itself, chainscope FILE");
    return CS_UNSUPPORTED;
}

cs_status cs_session_do(cs_session *s, char *line, cs_error *err)
{
    char *word[CS_WORDS + 1], first[32];
    size_t n = strcspn(line, " \t\n");
    snprintf(first, sizeof first, "%.*s", (int)(n < 31 ? n : 31), line);
    const cs_command *c = find(first, err);
    if (!c)
        return CS_UNKNOWN;
    if ((c->flags & CS_COMMAND_NEEDS_RUN) && !s->open.run)
        return cs_session_go(s, 0, false, err); /* says what is missing */
    if ((c->flags & CS_COMMAND_MAKES) && s->open.watch)
        return refuse_watched(s, c, err);
    if (c->flags & CS_COMMAND_RAW) {
        word[0] = line;
        word[1] = line + n + (line[n] != 0);
        n = 2;
    } else {
        cs_status status = cs_words_cut(line, word, &n, err);
        if (status)
            return status;
    }
    if (n < c->least + 1) {
        cs_fail(err, CS_INPUT, "%s needs more", c->name);
        cs_hint(err, "%s %s", c->name, c->args);
        return CS_INPUT;
    }
    return c->obey(s, word, n - 1, err);
}

/* After a change at a step in the past: the course that the arm had goes on
 * beside it; or else what lay ahead is a branch now, to which `undo` leads back,
 * and the script's events are called again from here on. `changes`: s->back.changes before. */
static void follow_branch(cs_session *s, uint64_t changes)
{
    if (!s->open.run || !s->move.farthest ||
        cs_run_end(s->open.run) >= s->move.farthest)
        return;
    unsigned long long now = cs_run_steps(s->open.run);
    if (cs_session_branch(s))
        return;
    s->move.farthest = 0;
    cs_history_cut(&s->breaks.history, now);
    cs_session_placed(s, now, true);
    if (!cs_run_branch(s->open.run))
        return;
    if (s->back.changes > changes) /* the course before has it as it was */
        cs_free(s->back.undo.step[--s->back.undo.n].line);
    cs_way_back_add(&s->back, "course", "the course before the change");
    cs_session_say(s,
                   "changed at step %s: what was made up to step %s is "
                   "a branch, :undo leads back",
                   cs_count((double)now).text,
                   cs_count((double)cs_run_branch(s->open.run)).text);
}

void cs_session_obey(cs_session *s)
{
    cs_error err = {0};
    uint64_t changes = s->back.changes;
    s->front.out.id = s->front.in.id;
    cs_message_text(&s->front.out, "");
    s->front.out.status =
        (uint32_t)cs_session_do(s, (char *)s->front.in.body, &err);
    follow_branch(s, changes);
    if (s->front.out.status == CS_OK)
        return;
    char text[1100];
    cs_error_format(&err, text, sizeof text);
    cs_message_text(&s->front.out, text);
}
