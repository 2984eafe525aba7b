/* chainscope run FILE: runs a scenario without the screen. Writes draws,
 * checkpoints and the summary to a folder, prints the summary to stdout, and
 * shows a progress line if stderr is a terminal. chainscope merge FILE DIR ...
 * joins parts that were run separately (--part). */
#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/front/follow_run.h"
#include "cli/front/front.h"
#include "cli/front/print_summary.h"
#include "cli/line/stop.h"
#include "cli/line/subcommand.h"
#include "cli/many/queue_store.h"
#include "cli/many/replicate_table.h"
#include "files/file.h"
#include "io/cmdstan.h"
#include "race/race.h"
#include "session/client/shell_words.h"
#include "session/commands/command.h"
#include "session/host/join.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 60000 };

static bool add(char *line, const char *text)
{
    size_t at = strlen(line);
    if (at + 2 >= LINE)
        return false;
    line[at] = ' ';
    return cs_words_quote(text, line + at + 1, LINE - at - 1);
}

static bool journal_at(const char *folder, const char *below, char *path,
                       size_t size)
{
    int n = snprintf(path, size, "%s/%s/journal.txt", folder, below);
    return n < (int)size && access(path, F_OK) == 0;
}

/* Finds the journal of a run in `folder` or in one of its subfolders. A glob
 * pattern is not used, since the folder's name may contain brackets and
 * asterisks. */
static bool journal_in(const char *folder, char *path, size_t size)
{
    struct dirent **below;
    bool found = journal_at(folder, ".", path, size);
    int n = found ? 0 : scandir(folder, &below, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        found = found || (*below[i]->d_name != '.' &&
                          journal_at(folder, below[i]->d_name, path, size));
        free(below[i]);
    }
    if (n > 0)
        free(below);
    return found;
}

/* Finds the journal of the run that is resumed, or of one of the parts that are
 * merged. */
static bool find_journal(const cs_args *args, char *path, size_t size)
{
    const char *out = cs_args_value(args, "out");
    if (args->n_words > 1)
        return journal_in(args->word[1], path, size);
    return out && cs_args_value(args, "resume") && journal_in(out, path, size);
}

/* Returns the number that follows the text `line` in the journal, or 0 if the
 * text is missing. */
static unsigned long long number_at(const unsigned char *journal,
                                    const char *line)
{
    const char *at = strstr((const char *)journal, line);
    return at ? strtoull(at + strlen(line), NULL, 10) : 0;
}

/* Writes the setting for the default length of the warm-up. A run that is
 * resumed or replayed does not use this default, since the earlier budget may
 * have been different. It keeps the length of the warm-up and the limit for
 * tuners that its journal states. */
static void say_warmup(const cs_args *args, char *text, size_t size)
{
    enum { MOST = 1 << 26 };
    char path[4096];
    unsigned char *bytes;
    size_t n;
    const char *journal = cs_args_value(args, "replay");
    if (!journal && find_journal(args, path, sizeof path))
        journal = path;
    snprintf(text, size, "default_warmup=usual");
    if (!journal || cs_file_read(journal, MOST, &bytes, &n, NULL) != CS_OK)
        return;
    snprintf(text, size, "default_warmup=%llu,%llu",
             number_at(bytes, "\n0 run warmup "),
             number_at(bytes, "\n0 run most_warmup "));
    cs_free(bytes);
}

/* Opens the scenario. The fields of the run are settings without a dot
 * ("seed=7"). Reports during the run are switched off, since they are not
 * displayed. */
static cs_status open_scenario(cs_client *c, const cs_args *args, cs_error *err)
{
    enum { FIELDS = 4 };
    static const char *const fields[FIELDS] = {"steps", "seed", "chains",
                                               "workers"};
    char text[FIELDS][64], usual[64], warmup[64], part[64];
    const char *more[FIELDS + 7] = {usual};
    const char *given = cs_args_value(args, "warmup");
    const char *share = cs_args_value(args, "part");
    size_t n_more = 1;
    say_warmup(args, usual, sizeof usual);
    if (!cs_args_value(args, "out") && !cs_args_value(args, "bias"))
        more[n_more++] = "read=1"; /* draws are not kept in memory */
    if (cs_args_value(args, "full"))
        more[n_more++] = "full=1";
    snprintf(warmup, sizeof warmup, "warmup=%s", given ? given : "");
    if (given)
        more[n_more++] = warmup;
    snprintf(part, sizeof part, "part=%s", share ? share : "");
    if (share)
        more[n_more++] = part;
    else if (cs_join_expected().size > 1 && args->n_words == 1)
        more[n_more++] = "part=ranks";
    for (size_t i = 0; i < FIELDS; i++) {
        uint64_t n;
        cs_status status = cs_args_count(args, fields[i], 0, &n, err);
        if (status)
            return status;
        if (!cs_args_value(args, fields[i]))
            continue;
        snprintf(text[i], sizeof text[i], "%s=%llu", fields[i],
                 (unsigned long long)n);
        more[n_more++] = text[i];
    }
    cs_status status = cs_front_ask(c, "reports", NULL, err);
    if (status == CS_OK)
        status = cs_front_open(c, args, more, err);
    if (status == CS_OK && !cs_args_value(args, "out") &&
        cs_join_expected().size <= 1)
        status = cs_front_ask(c, "draws", NULL, err);
    return status ? status : cs_print_summary_quantiles(c, args, err);
}

/* Fails for options that concern files if --out is not given. */
static cs_status refuse_without_files(const cs_args *args, cs_error *err)
{
    static const char *const options[] = {"thin",   "save-warmup", "checkpoint",
                                          "resume", "force",       "part"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (cs_args_value(args, options[i])) {
            cs_fail(err, CS_INPUT, "--%s needs --out", options[i]);
            cs_hint(err, "add --out DIR");
            return CS_INPUT;
        }
    return CS_OK;
}

/* Rewinds a recording, which is opened at its end, to step 0 so that all draws
 * are generated again. If this is impossible, the files record how many draws
 * are missing. */
static void begin_recording(cs_client *c, const cs_args *args)
{
    cs_error err;
    if (cs_front_recording(args) && !cs_args_value(args, "resume"))
        cs_front_ask(c, "rewind to 0", NULL, &err);
}

static cs_status begin_files(cs_client *c, const cs_args *args, cs_error *err)
{
    static char line[LINE];
    uint64_t thin, every;
    char text[64], spacing[64];
    const char *folder = cs_args_value(args, "out");
    cs_status status = cs_args_count(args, "thin", 1, &thin, err);
    if (status == CS_OK)
        status = cs_args_count(args, "checkpoint", 0, &every, err);
    if (status || !folder)
        return status ? status : refuse_without_files(args, err);
    begin_recording(c, args);
    strcpy(line, "out");
    snprintf(text, sizeof text, "thin=%llu", (unsigned long long)thin);
    if (!add(line, folder) || (cs_args_value(args, "thin") && !add(line, text)))
        return cs_fail(err, CS_INPUT, "the name of the folder is too long");
    snprintf(spacing, sizeof spacing, "checkpoint=%llu",
             (unsigned long long)every);
    if (cs_args_value(args, "checkpoint"))
        add(line, spacing);
    if (cs_args_value(args, "save-warmup"))
        add(line, "save_warmup");
    if (cs_args_value(args, "resume"))
        add(line, "resume");
    if (cs_args_value(args, "force"))
        add(line, "force");
    for (size_t i = 1; i < args->n_words; i++) {
        char part[4096];
        if (snprintf(part, sizeof part, "merge=%s", args->word[i]) >=
                (int)sizeof part ||
            !add(line, part))
            return cs_fail(err, CS_INPUT,
                           "the names of the parts are too long");
    }
    return cs_front_ask(c, line, NULL, err);
}

/* Replays the changes in a journal. The changes of a recording have already
 * been replayed. For a recording, the run therefore only advances to the step
 * of the snapshot `opened`. */
static cs_status replay(cs_client *c, const cs_args *args, cs_seen *opened,
                        double *reported, cs_error *err)
{
    if (cs_front_recording(args))
        return cs_follow_to(c, opened, opened->steps, reported, err);
    return cs_front_replay(c, cs_args_value(args, "replay"), err);
}

/* Sets *broken if a claim differs from the scenario's expectation. The claims
 * are tested only after the run has spent its budget, or after its stopping
 * rule has ended it. If --steps changes the budget, expectations do not
 * apply. */
static cs_status break_promises(cs_client *c, bool *broken, cs_error *err)
{
    const cs_message *m;
    cs_flat_entry final;
    cs_verdicts v = {0};
    cs_status status = cs_front_ask(c, "claims table", &m, err);
    *broken = false;
    if (status != CS_OK ||
        !cs_flat_find(m->body, m->size, &final, "claims/final") ||
        !final.data || final.data[0] == 0)
        return status;
    cs_replicate_count(&(cs_replica){.claims = m->body, .size = m->size}, &v);
    *broken = v.surprises > 0;
    return CS_OK;
}

/* Returns true if the number of arms is small enough for a ranking. Otherwise
 * prints a message; the reports that the ranking needs are then not
 * requested. */
static bool can_rank(cs_client *c)
{
    cs_seen s = {0};
    if (cs_front_ask(c, "reports", NULL, NULL) || !cs_follow_see(c, &s))
        return false;
    if (s.arms > CS_SHOT_ARMS)
        printf("\nno ranking: at most %d arms can be compared, but there are "
               "%.0f\n",
               CS_SHOT_ARMS, s.arms);
    return s.arms >= 2 && s.arms <= CS_SHOT_ARMS;
}

/* Prints the ranking of the arms over the whole run, as in the panel race.
 * Prints nothing for a single arm or after a signal. Waits for the reports, so
 * that the output does not depend on the load of the machine. */
static void say_ranking(cs_client *c)
{
    /* Seconds to wait for the reports. A longer wait means that memory has run
     * out. */
    enum { PATIENCE = 600 };
    char why[160];
    bool reported = false;
    char text[1000] = "", clean[2400];
    cs_racers arms;
    const cs_figure_look at = {.of = ""};
    cs_shot s = {0};
    if (!can_rank(c) ||
        cs_front_ask(c, "reports diagnostics modes distance means mmd", NULL,
                     NULL))
        return;
    for (double end = cs_clock() + PATIENCE;
         !reported && cs_clock() < end && !cs_stop_signal() &&
         cs_client_alive(c, why, sizeof why);
         cs_client_wait(c, 50))
        reported = cs_client_snapshot(c, &s.base, &s.used) &&
                   cs_shot_number(&s, 0, "run/reported") == 1;
    if (!reported || cs_stop_signal())
        return;
    cs_race_line_up(&s, &at, &arms);
    if (cs_race_has(&arms, CS_RACE_ESS))
        cs_race_say(&arms, text, sizeof text);
    cs_text_clean(text, clean, sizeof clean);
    if (*clean)
        printf("\n%s.\n", clean);
}

/* Results that determine the exit code of a completed run. */
typedef struct ending {
    bool broken; /* true if a claim differs from the scenario's expectation */
    bool warned; /* true if an arm has a warning, with --strict */
} ending;

/* Reads the format of the summary. If *format is NULL, the output is text with
 * ranking, bias and claims. */
static cs_status choose_format(const cs_args *args, const char **format,
                               cs_error *err)
{
    cs_status status = cs_print_summary_format(args, format, err);
    if (status || !*format || !cs_args_value(args, "bias"))
        return status;
    cs_fail(err, CS_INPUT, "--bias is printed as text only");
    cs_hint(err, "leave out --format");
    return CS_INPUT;
}

/* Prints the summary as text, the ranking, the bias and the claims. */
static cs_status say_all(cs_client *c, const cs_args *args, const char *line,
                         cs_error *err)
{
    const cs_message *m;
    cs_status status = cs_front_ask(c, line, &m, err);
    if (status)
        return status;
    cs_text_write((const char *)m->body, m->size, stdout);
    if (!cs_args_value(args, "part"))
        say_ranking(c);
    if (cs_args_value(args, "bias") && !cs_stop_signal())
        status = cs_print_answer(c, "lua run:bias()", err);
    if (status == CS_OK)
        status = cs_print_answer(c, "lua run:predictive() or ''", err);
    return status ? status : cs_print_answer(c, "lua run:claims() or ''", err);
}

/* Completes the files and prints the summary. For a part of a run, also prints
 * the number of the part. If a script had to be stopped, prints the place at
 * which it was stopped. */
static cs_status finish(cs_client *c, const cs_args *args, double *reported,
                        ending *out, cs_error *err)
{
    char line[LINE] = "summary";
    cs_seen s = {0};
    const char *format;
    cs_status status = choose_format(args, &format, err);
    if (status == CS_OK)
        status = cs_front_ask(c, "pause", NULL, err);
    if (cs_stop_signal() && cs_follow_see(c, &s) &&
        strcmp(s.state, "failed") == 0)
        cs_follow_messages(&s, s.messages, reported);
    if (status == CS_OK)
        status = cs_front_ask(c, "out", NULL, err);
    if (status == CS_OK && format)
        add(line, format);
    if (status == CS_OK)
        status = cs_print_summary_rows(args, line, LINE, err);
    if (status == CS_OK)
        status = format ? cs_print_summary(c, line, err)
                        : say_all(c, args, line, err);
    if (status == CS_OK)
        status = cs_print_summary_warned(c, args, &out->warned, err);
    return status ? status : break_promises(c, &out->broken, err);
}

/* Reports an arm whose warm-up was not complete when the budget was spent. */
static bool ended_early(const cs_seen *s)
{
    bool early = s->tuned < 1 && strcmp(s->state, "done") == 0;
    if (early)
        fprintf(stderr,
                "chainscope: an arm has no draws: the run ended at step %.0f, "
                "during its warm-up; give more steps or shorten the warm-up\n",
                s->steps);
    return early;
}

/* Prints the step and the folder of the draws after an early end. */
static void tell_where(const cs_args *args, const cs_seen *s)
{
    char clean[4096], share[32] = "";
    const char *out = cs_args_value(args, "out");
    bool dead = s->stopped > 0 && s->stopped >= s->chains;
    const char *on = dead                ? ""
                     : args->n_words > 1 ? "; repeat the command with --force "
                                           "to merge again"
                                         : "; repeat the command with --resume "
                                           "to continue";
    if (s->progress >= 0)
        snprintf(share, sizeof share, " (%.0f %%)", floor(100 * s->progress));
    if (!out) {
        cs_stop_say("at step %.0f%s: no draws were written; add --out DIR to "
                    "write them and --resume to continue",
                    s->steps, share);
        return;
    }
    cs_text_clean(out, clean, sizeof clean);
    if (cs_stop_signal())
        cs_stop_say("at step %.0f%s: the draws so far are in %s%s", s->steps,
                    share, clean, on);
    else
        fprintf(stderr, "chainscope: the draws so far are in %s%s\n", clean,
                on);
}

/* Returns true if the session completed its files by itself, because the signal
 * was sent to the whole process group (kill, timeout). */
static bool ended_by_itself(cs_client *c)
{
    char why[160];
    for (int i = 0; i < 50 && cs_client_alive(c, why, sizeof why); i++)
        cs_client_wait(c, 100);
    return !cs_client_alive(c, why, sizeof why) && cs_client_exit_code(c) == 0;
}

/* Runs the scenario to the end. `opened` is the first snapshot of a
 * recording. */
static int sample(cs_client *c, const cs_args *args, cs_seen *opened)
{
    cs_error err;
    double reported = 0;
    bool replays = cs_args_value(args, "replay") != NULL;
    /* merged parts have already reached their end */
    cs_status status = args->n_words > 1 ? CS_OK
                       : replays ? replay(c, args, opened, &reported, &err)
                                 : cs_follow_budget(c, &reported, &err);
    ending ended = {false, false};
    bool began = status != CS_INPUT;
    /* a stop by a signal is reported by tell_where instead */
    if (status && !(status == CS_STOPPED && cs_stop_signal()))
        cs_complain(&err);
    cs_stop_finish();
    cs_status end = began ? finish(c, args, &reported, &ended, &err) : CS_OK;
    if (end && !status && !(cs_stop_signal() && ended_by_itself(c)))
        cs_complain(&err);
    else
        end = CS_OK;
    cs_seen s = {0};
    if (began)
        cs_follow_see(c, &s);
    double stopped = cs_print_summary_stopped(&s);
    bool early = ended_early(&s);
    if (began && (status || end || cs_stop_signal()))
        tell_where(args, &s);
    bool failed = status || end || ended.broken || early || stopped > 0;
    return failed ? CS_EXIT_FAILED : ended.warned ? CS_EXIT_WARNED : CS_EXIT_OK;
}

/* Returns true on the ranks started by mpirun except rank 0. */
static bool follows(const cs_args *args)
{
    return !cs_args_value(args, "part") && cs_join_expected().rank > 0;
}

/* Follows the run on a rank other than 0. Rank 0 prints the results; this rank
 * prints only its own errors while the files are completed. */
static int follow(cs_client *c, const cs_args *args, cs_status status)
{
    cs_error err;
    if (status == CS_OK)
        status = cs_front_ask(c, "run", NULL, &err);
    if (status || !cs_args_value(args, "out"))
        return status ? CS_EXIT_FAILED : CS_EXIT_OK;
    status = cs_front_ask(c, "out", NULL, &err);
    return status ? cs_complain(&err) : CS_EXIT_OK;
}

/* Joins the MPI ranks. Ranks on the same machine share its processors. */
static cs_status join_ranks(const cs_args *args, cs_front_options *options,
                            cs_error *err)
{
    cs_rank me = cs_join_expected();
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    if (me.size == 1 || cs_args_value(args, "part") || args->n_words > 1)
        return CS_OK;
    if (cs_args_value(args, "replay")) {
        cs_fail(err, CS_INPUT, "--replay cannot run under mpirun");
        cs_hint(err, "leave out mpirun or --replay");
        return CS_INPUT;
    }
    options->ranks = true;
    options->workers = n > (long)me.beside ? (size_t)n / me.beside : 1;
    options->prints = me.rank == 0;
    return CS_OK;
}

/* Fails if no arm of the scenario trains a model. Used by `chainscope
 * train`. */
static cs_status check_learns(cs_client *c, cs_error *err)
{
    cs_seen s = {0};
    cs_follow_see(c, &s);
    if (s.updates > 0)
        return CS_OK;
    cs_fail(err, CS_INPUT, "no arm of this scenario trains a model");
    cs_hint(err, "add learn = { data = ..., updates = ... } to an arm, or use "
                 "chainscope run");
    return CS_INPUT;
}

static int run(const cs_args *args)
{
    cs_client *c;
    cs_error err;
    cs_front_options options = {.prints = true};
    bool first = !follows(args);
    const char *format;
    if (choose_format(args, &format, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    if (join_ranks(args, &options, &err))
        return first ? cs_complain(&err) : CS_EXIT_FAILED;
    if (cs_front_read(args, &options, &err) ||
        cs_front_create(&c, &options, &err))
        return cs_complain(&err);
    if (!first)
        cs_stop_ignore();
    cs_seen opened = {0};
    cs_status status = open_scenario(c, args, &err);
    if (status == CS_OK && cs_args_value(args, "replay"))
        cs_follow_look(c, &opened);
    if (status == CS_OK)
        status = begin_files(c, args, &err);
    if (status == CS_OK && strcmp(args->sub->name, "train") == 0)
        status = check_learns(c, &err);
    int code = !first   ? follow(c, args, status)
               : status ? cs_complain(&err)
                        : sample(c, args, &opened);
    cs_client_close(c, options.ranks ? 600000 : 10000);
    const char *out = cs_args_value(args, "out");
    if (out && cs_client_exit_code(c) != 0)
        cs_cmdstan_repair(out);
    cs_client_destroy(c);
    return code;
}

static const cs_option options[] = {
    {"out", "DIR",
     "folder for the draws (ARM_1.csv ...), checkpoint and summary"},
    {"steps", "N", "steps per chain, instead of the scenario's budget"},
    {"warmup", "N",
     "warm-up steps per chain, not recorded as draws; a value below 1 is a "
     "share of the budget; 0: no warm-up (default: the scenario's value, or a "
     "tenth of the budget, at most 1000)"},
    {"thin", "N", "write one draw every N steps"},
    {"save-warmup", NULL,
     "also write the warm-up steps before the draws, as CmdStan does"},
    {"checkpoint", "SECONDS",
     "seconds between checkpoints; 0: as often as possible (default: 5, or "
     "more if a checkpoint takes long)"},
    {"part", "K/N",
     "run only part K of N (for example 3/16), on any machine and in any "
     "order; join the parts with `chainscope merge`. With --resume, continue "
     "this part, or start it if there is nothing to continue"},
    {"full", NULL, "use the scenario's full setting, as replicate does"},
    {"seed", "N", "seed, instead of the scenario's"},
    {"chains", "N", "chains per arm, instead of the scenario's"},
    {"workers", "N", "number of threads; results do not depend on it"},
    {"set", "ARM.PARAM=V",
     "change a parameter (with --resume, from the step of the checkpoint on); "
     "may be repeated"},
    {"bias", NULL,
     "estimate the bias of kernels without an accept step from a second run "
     "with half the step size and the same number of steps"},
    {"resume", NULL,
     "continue from the checkpoint in DIR, bit for bit: scenario, seed and "
     "chains must be the same; --steps, --set and --workers may differ"},
    {"replay", "FILE",
     "repeat the changes in a journal.txt, or the run of a .cast recorded from "
     "FILE, without a budget"},
    {"force", NULL, "overwrite the files in DIR"},
    CS_SUMMARY_OPTIONS,
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_run = {
    .name = "run",
    .args = "FILE [--out DIR] [--steps N] ...",
    .help = "run a scenario without the screen",
    .more =
        "Ctrl-C stops at the next step and saves everything. The budget counts "
        "the steps\nof each chain; gradients, log densities and data terms are "
        "summed over the\nchains of an arm.\n\n"
        "The first tenth of the budget, at most 1000 steps, is warm-up: arms "
        "without a\ntuner record no draws in it. `warmup` in the scenario or "
        "--warmup changes this.\n\n"
        "Without --out, only the probes run that the summary, a claim or the "
        "scenario's\nfield `probes` reads; all probes run if a function of the "
        "scenario may\nread them.\n\n"
        "Under mpirun the ranks share the chains; rank 0 prints the "
        "output.\n\n"
        "Exit status 1: the run failed, an arm has no draws, or after the "
        "scenario's own\nbudget a claim differs from its expectation. Exit "
        "status 3, with --strict: an\narm has a warning.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = 1,
    .main = run,
};

static int merge(const cs_args *args)
{
    if (cs_args_value(args, "out") && cs_store_is(args->word[1]))
        return cs_store_merge(args);
    if (cs_args_value(args, "out"))
        return run(args);
    cs_error err;
    cs_fail(&err, CS_INPUT, "no output folder");
    cs_hint(&err, "add --out DIR");
    cs_complain(&err);
    return CS_EXIT_USAGE;
}

static const cs_option merge_options[] = {
    {"out", "DIR",
     "folder for the merged run, as a single process would write it"},
    {"steps", "N", "steps per chain, as given for the parts"},
    {"warmup", "N", "warm-up steps per chain, as given for the parts"},
    {"full", NULL, "use the full setting, as given for the parts"},
    {"seed", "N", "seed, as given for the parts"},
    {"chains", "N", "chains per arm, as given for the parts"},
    {"workers", "N", "number of threads, if the run is continued"},
    {"set", "ARM.PARAM=V",
     "change of a parameter, as given for the parts; may be repeated"},
    {"force", NULL, "overwrite the files in DIR"},
    CS_STRICT_OPTION,
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_merge = {
    .name = "merge",
    .args = "FILE PARTS ... --out DIR",
    .help = "join parts that were run separately (run --part)",
    .more = "PARTS are folders written by `chainscope run --part K/N --out`, "
            "or folders that\ncontain such folders. Each part must be present "
            "once and complete, and belong to\nthe same run, program version, "
            "FILE and options.\n\nDraws, summary and claims equal those of a "
            "single process; only the elapsed\ntime is the sum of the parts. "
            "One part at a time is held in memory.\n",
    .options = merge_options,
    .n_options = sizeof merge_options / sizeof *merge_options,
    .least_words = 2,
    .max_words = CS_ARGS_WORDS,
    .main = merge,
};
