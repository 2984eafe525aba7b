/* The commands of the session. Commands are sent when the user presses keys on
 * the screen or types lines in the console, and by sub-commands. */
#include "base/count.h"
#include "base/memory.h"
#include "base/page.h"
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
     .flags = CS_COMMAND_PLAYS,
     .least = 1,
     .word = CS_WORD_FILE,
     .obey = cs_command_open},
    {.name = "gallery",
     .args = "[FROM [COUNT [claims | recent]]]",
     .help = "list the scenarios, numbered from 0; with `claims`, run them and "
             "count the claims about values stated in papers; with `recent`, "
             "also list recent files and the scenarios in $XDG_DATA_HOME",
     .flags = CS_COMMAND_PLAYS,
     .obey = cs_command_gallery},
    {.name = "lesson",
     .args = "[FOLDER/NAME]",
     .help = "open the scenario that explains the first warning about the arm, "
             "or a given scenario of the gallery",
     .flags = CS_COMMAND_PLAYS,
     .instead = "G returns to the run",
     .obey = cs_command_lesson},
    {.name = "course",
     .args = "[next | back]",
     .help = "go to the next or to the previous step of the lesson; without "
             "arguments: show the present step again",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_PLAYS,
     .instead = "use `course back`",
     .obey = cs_command_course},
    {.name = "answer",
     .args = "ANSWER",
     .help = "answer with a choice, a number, two numbers, or arms in order, "
             "when a lesson asks a question",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_RAW | CS_COMMAND_PLAYS,
     .least = 1,
     .instead = "answer again",
     .obey = cs_command_guess},
    {.name = "game",
     .args = "[say] [N | ARM | check [ARM] | mark ARM | quit]",
     .help = "make a move of the game: run N times 50 steps (1), name the "
             "broken arm, test an arm for 30 points, mark an arm (a marked arm "
             "is named), or show the answer; with `say`, print it in lines",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_RAW | CS_COMMAND_PLAYS,
     .instead = "R starts another game",
     .obey = cs_command_game},
    {.name = "class",
     .args = "COUNTS | none",
     .help = "store how many of a class chose each answer of the question, for "
             "example `class A 12 B 7`, or with the number of voters, `class A "
             "12 B 7 of 15`, if several answers can be right; the second time, "
             "the second vote; the reveal shows them as bars",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_RAW,
     .least = 1,
     .instead = "use `class none`",
     .obey = cs_command_class},
    {.name = "recent",
     .args = "FILE",
     .help = "add a file to the list of recent files",
     .flags = CS_COMMAND_PLAYS,
     .least = 1,
     .word = CS_WORD_FILE,
     .obey = cs_command_recent},
    {.name = "run",
     .args = "[STEPS]",
     .help = "let the chains run",
     .flags = CS_COMMAND_NEEDS_RUN,
     .instead = "use , and < to undo steps",
     .obey = cs_command_run},
    {.name = "pause",
     .args = "",
     .help = "stop at the next step",
     .flags = CS_COMMAND_PLAYS,
     .obey = cs_command_pause},
    {.name = "toggle",
     .args = "",
     .help = "run or pause",
     .flags = CS_COMMAND_NEEDS_RUN,
     .instead = "space pauses; use , and < to undo steps",
     .obey = cs_command_toggle},
    {.name = "step",
     .args = "[STEPS]",
     .help = "run N steps, then pause",
     .flags = CS_COMMAND_NEEDS_RUN,
     .instead = "use , and < to undo steps",
     .obey = cs_command_step},
    {.name = "slow",
     .args = "[STEPS]",
     .help = "run in slow motion, at four steps per second, or end it; with "
             "STEPS, for this number of steps",
     .flags = CS_COMMAND_NEEDS_RUN,
     .instead = "the draws of another process have their own speed",
     .obey = cs_command_slow},
    {.name = "speed",
     .args = "STEPS",
     .help = "limit the steps per second; 0: no limit",
     .flags = CS_COMMAND_PLAYS,
     .least = 1,
     .obey = cs_command_speed},
    {.name = "set",
     .args = "[arm.]PARAM[.FIELD]=VALUE",
     .help = "change a parameter or its schedule: one field, as in `set "
             "step.max=3`, or all fields, as in `set step cosine max=3 min=1`",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .least = 1,
     .word = CS_WORD_PARAM,
     .obey = cs_command_set},
    {.name = "start",
     .args = "[ARM] [CHAIN | all] at X Y ... | at 1=X 2=Y | from prior | from "
             "mode N | from worst",
     .help = "move one chain, or all chains of an arm, to a state (1=X sets "
             "only coordinate 1), to a draw from the prior, to a mode of the "
             "target, or to the state of the chain with the lowest log p",
     .flags = CS_COMMAND_NEEDS_RUN,
     .least = 2,
     .word = CS_WORD_START,
     .obey = cs_command_start},
    {.name = "hill",
     .args = "[add X Y [WIDTH [WEIGHT]] | N at X Y | N width W | N weight W | "
             "drop N]",
     .help = "edit the hills of a mixture in the plane: add, move, widen, "
             "weight or remove a hill; without arguments: list the hills",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_hill},
    {.name = "arm",
     .args = "add KERNEL [PARAM=VALUE ...] [as NAME] | clone ARM [as NAME] | "
             "drop ARM | restore ARM | rename ARM NAME | kernel ARM KERNEL "
             "[PARAM=VALUE ...]",
     .help = "add, copy, rename or remove arms during the run; a new arm first "
             "runs the steps that the other arms have already run",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .least = 1,
     .word = CS_WORD_CHANGE,
     .obey = cs_command_arms},
    {.name = "restart",
     .args = "",
     .help = "open the scenario again, with the current settings",
     .flags = CS_COMMAND_NEEDS_RUN,
     .instead = "the previous run is lost unless it was saved with :save",
     .obey = cs_command_restart},
    {.name = "reload",
     .args = "[careful]",
     .help = "read the scenario's file again: unchanged arms continue, and "
             "changed arms start again; with `careful`, only if no arm would "
             "be lost",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .obey = cs_command_reload},
    {.name = "seed",
     .args = "[SEED]",
     .help = "start again with another seed",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES | CS_COMMAND_PLAYS,
     .instead = "the previous run is lost unless it was saved with :save",
     .obey = cs_command_reseed},
    {.name = "rewind",
     .args = "-STEPS | +STEPS | to STEP",
     .help = "go back or forward by STEPS steps, or to a step",
     .flags = CS_COMMAND_NEEDS_RUN,
     .least = 1,
     .instead = "use [ ] and . , to move in time",
     .obey = cs_command_rewind},
    {.name = "undo",
     .args = "",
     .help = "undo the last change of a parameter, of an arm or of the speed. "
             "The undo takes effect at the current step; earlier steps remain "
             "as they are",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_undo},
    {.name = "redo",
     .args = "",
     .help = "redo the change that was undone last",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_redo},
    {.name = "branch",
     .args = "",
     .help = "after a change at an earlier step (if the change created no "
             "arm), switch between the branches with and without this change",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .obey = cs_command_branch},
    {.name = "event",
     .args = "next | previous [KIND] [ARM [CHAIN]]",
     .help = "go to the next or previous event of a chain; KIND is any, visit, "
             "jump, reject, divergence, swap, stop or change",
     .flags = CS_COMMAND_NEEDS_RUN,
     .least = 1,
     .word = CS_WORD_WAY,
     .instead = "use [ ] and . , to move in time",
     .obey = cs_command_event},
    {.name = "break",
     .args = "[KIND [N] [ARM [CHAIN]] | FIGURE < N [ARM] | off [N]]",
     .help = "pause the run at an event (mode N, visit, jump, reject N, "
             "divergence, swap, stop) or when a condition holds (rhat < N, ess "
             "> N, modes = all; steps, gradients, log_densities or seconds > "
             "N). Without arguments: list the breakpoints",
     .flags = CS_COMMAND_NEEDS_RUN,
     .word = CS_WORD_BREAK,
     .obey = cs_command_break},
    {.name = "look",
     .args = "ARM [CHAIN [COORD]]",
     .help = "select the arm, the chain and the coordinate that are shown (=: "
             "unchanged, +: next, -: previous)",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_PLAYS,
     .least = 1,
     .word = CS_WORD_ARM,
     .obey = cs_command_look},
    {.name = "logp",
     .args = "",
     .help = "show the exact log p of the selected chain, next to the kernel's "
             "estimate",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_logp},
    {.name = "ratios",
     .args = "[on | off]",
     .help = "show the true acceptance ratios of the selected chain next to "
             "the kernel's estimates, from the next step on; without "
             "arguments: switch on or off",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .obey = cs_command_ratios},
    {.name = "line",
     .args = "[COORD [LOW HIGH] | modes I J | chains I J]",
     .help = "choose the line along which the panel `line` shows the energy; "
             "without arguments: the line along the selected coordinate",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_PLAYS,
     .obey = cs_command_line},
    {.name = "pictures",
     .args = "N",
     .help = "set the number of chains per arm whose states are shown",
     .flags = CS_COMMAND_PLAYS,
     .least = 1,
     .obey = cs_command_pictures},
    {.name = "key",
     .args = "PANEL LETTER",
     .help = "send a key to a panel defined by the scenario",
     .flags = CS_COMMAND_NEEDS_RUN,
     .least = 2,
     .instead = "only the function of the panel can undo it",
     .obey = cs_command_key},
    {.name = "reports",
     .args = "[PROBE ...]",
     .help = "choose the reports that are computed: * means all; without "
             "arguments: none",
     .flags = CS_COMMAND_PLAYS,
     .obey = cs_command_reports},
    {.name = "once",
     .args = "",
     .help = "read files of draws in one pass, in less time: the run that is "
             "opened next, if it is read from files, can neither go back nor "
             "be saved",
     .obey = cs_command_once},
    {.name = "lua",
     .args = "CODE",
     .help = "run a line of Lua",
     .flags = CS_COMMAND_RAW,
     .least = 1,
     .instead = "changes made by Lua are kept: set the old values again",
     .obey = cs_command_lua},
    {.name = "chunk",
     .args = "CODE",
     .help = "run Lua and stream its output",
     .flags = CS_COMMAND_RAW,
     .least = 1,
     .obey = cs_command_chunk},
    {.name = "complete",
     .args = "LINE",
     .help = "list the possible completions of a piece of Lua or, after a "
             "colon, of a command",
     .flags = CS_COMMAND_RAW | CS_COMMAND_PLAYS,
     .obey = cs_command_complete},
    {.name = "save",
     .args = "FILE",
     .help = "save the run to NAME.checkpoint, or save the changes of the run "
             "as a script to NAME.lua",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_PLAYS,
     .least = 1,
     .word = CS_WORD_FILE,
     .instead = "files already written are kept: remove them yourself",
     .obey = cs_command_save},
    {.name = "share",
     .args = "[FILE.lua]",
     .help = "print a shell command that reproduces this screen; changes made "
             "during the run are saved to FILE.lua",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_PLAYS,
     .word = CS_WORD_FILE,
     .obey = cs_command_share},
    {.name = "load",
     .args = "FILE",
     .help = "continue a saved run",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .least = 1,
     .word = CS_WORD_FILE,
     .instead = "the previous run is lost unless it was saved with :save",
     .obey = cs_command_load},
    {.name = "journal",
     .args = "[inputs]",
     .help =
         "print the changes made so far with their steps, for `replay`; with "
         "`inputs`, also print the text of the scenario, as in recordings",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_PLAYS,
     .obey = cs_command_journal},
    {.name = "replay",
     .args = "FILE [STEP]",
     .help = "repeat the changes listed in a journal.txt, or the run in a "
             "recording (.cast) of the open scenario, up to the given step",
     .flags = CS_COMMAND_PLAYS,
     .least = 1,
     .word = CS_WORD_FILE,
     .instead = "the previous run is lost unless it was saved with :save",
     .obey = cs_command_replay},
    {.name = "out",
     .args =
         "[DIR [thin=N] [save_warmup] [checkpoint=SECONDS] [force] [resume] "
         "[merge=DIR ...]]",
     .help = "start writing draws to DIR; without DIR: stop",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .word = CS_WORD_FILE,
     .instead = "files already written are kept: remove them yourself",
     .obey = cs_command_write},
    {.name = "summary",
     .args = "[markdown | latex | html | json | csv | warnings] [all | "
             "show=NAME,...]",
     .help =
         "print the results so far: scalars and the quantities with the worst "
         "diagnostics; with `all` or `show`, more quantities; with a format, "
         "tables and claims; with `warnings`, only the kinds of warnings",
     .obey = cs_command_summary},
    {.name = "quantiles",
     .args = "P,...",
     .help = "set the quantiles of summaries, in percent: 2.5,50,97.5",
     .flags = CS_COMMAND_NEEDS_RUN,
     .least = 1,
     .instead = "the default is quantiles 5,50,95",
     .obey = cs_command_quantiles},
    {.name = "draws",
     .args = "",
     .help = "keep all draws from now on for the summary, not only some "
             "thousands per chain; `run` does this without a screen",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .instead = "restart: the draws of the new run are thinned again",
     .obey = cs_command_draws},
    {.name = "claims",
     .args = "[table | again]",
     .help =
         "test the scenario's claims now; with `again`, use the saved results",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_claims},
    {.name = "results",
     .args = "claims | figures | ranks | keep LINES",
     .help = "print the results of this run for merging; with `keep`, add the "
             "results of another run",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_RAW,
     .least = 1,
     .obey = cs_command_results},
    {.name = "loo",
     .args = "[QUANTITY]",
     .help = "print for each arm and observation: the leave-one-out log "
             "predictive density, its Pareto k, the log predictive density "
             "with all data, WAIC and the error; QUANTITY is the log "
             "likelihood (log_lik)",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_loo},
    {.name = "sensitivity",
     .args = "[POWER [PRIOR [LIKELIHOOD]]]",
     .help = "print the sensitivity of each quantity to the power of the "
             "prior and of the likelihood, and their Pareto k; the last two "
             "words are quantities (log_prior and log_lik)",
     .flags = CS_COMMAND_NEEDS_RUN,
     .obey = cs_command_sensitivity},
    {.name = "exercise",
     .args = "WHAT FILE [NAME=VALUE ...]",
     .help = "print a part of an exercise (text, skeleton, title, hint, "
             "solution), or "
             "mark a hand-in; `chainscope exercise` uses it",
     .least = 2,
     .obey = cs_command_exercise},
    {.name = "check",
     .args = "[SECONDS] [law NAME] [arm NAME] [format json] | kept",
     .help = "test the laws that this target and its kernels must satisfy; "
             "with `kept`, print the saved results",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .obey = cs_command_check},
    {.name = "tape",
     .args = "[WIDTH [MOST]]",
     .help = "list the operations of a traced target and the time that each "
             "operation takes",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .obey = cs_command_tape},
    {.name = "schedules",
     .args = "",
     .help = "list the schedules of the kernels' parameters, with the step "
             "from which each schedule counts, and its first and last value",
     .flags = CS_COMMAND_NEEDS_RUN | CS_COMMAND_MAKES,
     .obey = cs_command_schedules},
    {.name = "help",
     .args = "",
     .help = "list the commands",
     .flags = CS_COMMAND_PLAYS,
     .obey = help},
    {.name = "quit",
     .args = "",
     .help = "end the session",
     .flags = CS_COMMAND_PLAYS,
     .obey = quit},
};

enum { N_COMMANDS = sizeof table / sizeof *table };

static cs_status help(cs_session *s, char **word, size_t n, cs_error *err)
{
    (void)word, (void)n;
    cs_page p = {0};
    for (size_t i = 0; i < N_COMMANDS; i++)
        cs_page_put(&p, "%s %s -- %s\n", table[i].name, table[i].args,
                    table[i].help);
    bool good = !p.full && cs_message_text(&s->front.out, p.text);
    cs_free(p.text);
    return good ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory for the help");
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
    cs_fail(err, CS_UNKNOWN, "unknown command '%s'", name);
    const char *near = cs_text_nearest(name, names);
    cs_hint(err, near ? "did you mean '%s'?" : "type help for a list", near);
    return NULL;
}

static cs_status refuse_watched(const cs_session *s, const cs_command *c,
                                cs_error *err)
{
    cs_fail(err, CS_UNSUPPORTED,
            "%s needs a run that makes its own steps: these draws are read "
            "from %.200s",
            c->name, s->open.file);
    cs_hint(err, "open the scenario itself: chainscope FILE");
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
        return cs_session_go(s, 0, false, err); /* cs_session_go reports that no
                                                 * run is open */
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
        cs_fail(err, CS_INPUT, "%s: missing argument", c->name);
        cs_hint(err, "usage: %s %s", c->name, c->args);
        return CS_INPUT;
    }
    return c->obey(s, word, n - 1, err);
}

/* Fails if a game is open in which the command of the line is not allowed: it
 * would tell which arm is broken, or make steps that are not counted. */
static cs_status refuse_in_game(const cs_session *s, const char *line,
                                cs_error *err)
{
    const cs_command *c = cs_command_named(line);
    if (!c || c->flags & CS_COMMAND_PLAYS || !cs_course_plays(&s->course))
        return CS_OK;
    cs_fail(err, CS_UNSUPPORTED, "only moves are possible in a game");
    cs_hint(err, "enter runs 50 steps, 1 to 4 mark an arm");
    return CS_UNSUPPORTED;
}

/* Handles a change that was made after the run went back. The arm without the
 * change, its old branch, continues as a separate arm. If that is impossible,
 * the steps after the change become a branch to which `undo` returns, and the
 * script's events happen again from this step on. `changes` is the value of
 * s->back.changes before the change. */
static void follow_branch(cs_session *s, uint64_t changes)
{
    cs_periods_check(s);
    bool parted = s->periods.parted;
    s->periods.parted = false;
    if (!s->open.run || !s->move.farthest ||
        cs_session_end(s) >= s->move.farthest)
        return;
    unsigned long long now = cs_run_steps(s->open.run);
    if (!parted)
        cs_periods_forget_branch(s);
    if (!parted && cs_session_branch(s))
        return;
    s->move.farthest = 0;
    cs_history_cut(&s->breaks.history, now);
    cs_session_placed(s, now, true);
    if (!cs_session_branch_end(s))
        return;
    /* the previous branch holds the old state, so no undo command is needed */
    if (s->back.changes > changes)
        cs_free(s->back.undo.step[--s->back.undo.n].line);
    cs_way_back_add(&s->back, "branch", "the branch before the change");
    cs_session_say(s,
                   "changed at step %s: the steps up to %s are now a branch; "
                   "return to it with :undo",
                   cs_count((double)now).text,
                   cs_count((double)cs_session_branch_end(s)).text);
}

void cs_session_obey(cs_session *s)
{
    cs_error err = {0};
    uint64_t changes = s->back.changes;
    s->front.out.id = s->front.in.id;
    cs_message_text(&s->front.out, "");
    char *line = (char *)s->front.in.body;
    cs_status status = refuse_in_game(s, line, &err);
    s->front.out.status =
        (uint32_t)(status ? status : cs_session_do(s, line, &err));
    follow_branch(s, changes);
    /* a change may make steps a thousand times slower; motion.c doubles the
     * number of steps while an advance takes little time */
    s->move.quantum = 1;
    if (s->front.out.status == CS_OK)
        return;
    char text[1100];
    cs_error_format(&err, text, sizeof text);
    cs_message_text(&s->front.out, text);
}
