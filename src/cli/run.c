/* chainscope run FILE: a scenario without a screen. Draws, checkpoint and
 * summary go to a folder, the summary to stdout, a line of progress to
 * stderr when that is a terminal. chainscope merge FILE DIR ...: the same of
 * parts that were run elsewhere (--part). */
#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/front/follow_run.h"
#include "cli/front/front.h"
#include "cli/line/stop.h"
#include "cli/line/subcommand.h"
#include "cli/many/queue_store.h"
#include "cli/many/replicate_table.h"
#include "figure/race.h"
#include "files/file.h"
#include "io/cmdstan.h"
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

/* That of a run in `folder`, or in a folder in there. Not by a pattern: the
 * folder's own name may have brackets and stars. */
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

/* That of the run that is gone on with, or of a part of the one that is made. */
static bool find_journal(const cs_args *args, char *path, size_t size)
{
    const char *out = cs_args_value(args, "out");
    if (args->n_words > 1)
        return journal_in(args->word[1], path, size);
    return out && cs_args_value(args, "resume") && journal_in(out, path, size);
}

/* The number on a line of a journal that begins so; 0: there is none. */
static unsigned long long number_at(const unsigned char *journal,
                                    const char *line)
{
    const char *at = strstr((const char *)journal, line);
    return at ? strtoull(at + strlen(line), NULL, 10) : 0;
}

/* Unless it is said, the usual one; or, of a run that is gone on with or made
 * again, its own, and what its tuners were cut to: it may have had another
 * budget. */
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

/* The run's own fields are sets without a point: "seed=7". Nobody looks at
 * reports on the way. */
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
        more[n_more++] = "read=1"; /* no draws are kept */
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
    return status ? status : cs_front_open(c, args, more, err);
}

/* What is said of files that are not written would be lost in silence. */
static cs_status refuse_without_files(const cs_args *args, cs_error *err)
{
    static const char *const options[] = {"thin",   "save-warmup", "checkpoint",
                                          "resume", "force",       "part"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (cs_args_value(args, options[i])) {
            cs_fail(err, CS_INPUT, "--%s is of the files of --out", options[i]);
            cs_hint(err, "give --out DIR too");
            return CS_INPUT;
        }
    return CS_OK;
}

/* A recording has been played to its end: its draws are made again, from the first
 * on, where the way back leads there. Else the files say how many came before. */
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
        return cs_fail(err, CS_INPUT, "the folder's name is too long");
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
            return cs_fail(err, CS_INPUT, "the parts' names are too long");
    }
    return cs_front_ask(c, line, NULL, err);
}

/* A recording was at its end when it was opened, and is there or before its first
 * draw. */
static cs_status replay(cs_client *c, const cs_args *args, cs_seen *opened,
                        double *told, cs_error *err)
{
    if (cs_front_recording(args))
        return cs_follow_to(c, opened, opened->steps, told, err);
    return cs_front_replay(c, cs_args_value(args, "replay"), err);
}

/* Whether the claims say otherwise than the scenario promised, once its budget is
 * spent or a rule of its own has ended it; under another budget (--steps) nothing
 * was promised. */
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

/* Whether the arms are few enough to compare; says so where they are not. Their
 * reports are not asked for then. */
static bool can_rank(cs_client *c)
{
    cs_seen s = {0};
    if (cs_front_ask(c, "reports", NULL, NULL) || !cs_follow_see(c, &s))
        return false;
    if (s.arms > CS_SHOT_ARMS)
        printf(
            "\nNo leader is named: at most %d arms are compared, and there are "
            "%.0f.\n",
            CS_SHOT_ARMS, s.arms);
    return s.arms >= 2 && s.arms <= CS_SHOT_ARMS;
}

/* What can be said of the arms by the figures of the whole run, as the panel
 * race says it; nothing of one arm, or once a signal came. However long the
 * reports take: what is said must not depend on what else the machine does. */
static void say_ranking(cs_client *c)
{
    enum { PATIENCE = 600 }; /* seconds, then there is no memory for them */
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

/* With --strict, whether an arm has a warning that is more than a note; names
 * them. A part is not judged. */
static cs_status find_warnings(cs_client *c, const cs_args *args, bool *warned,
                               cs_error *err)
{
    char *text = NULL;
    *warned = false;
    if (!cs_args_value(args, "strict") || cs_args_value(args, "part"))
        return CS_OK;
    cs_status status = cs_front_hear(c, "summary warnings", &text, err);
    for (char *rest = text, *line;
         status == CS_OK && text && (line = strtok_r(rest, "\n", &rest));) {
        fprintf(stderr, "chainscope: --strict: %s\n", line);
        *warned = true;
    }
    free(text);
    return status;
}

/* What the exit code tells of a run that was done. */
typedef struct ending {
    bool broken; /* a claim is not as the scenario says */
    bool warned; /* with --strict: an arm has a warning */
} ending;

/* The rows of the summary that are asked for. */
static cs_status choose_rows(const cs_args *args, char *line, cs_error *err)
{
    char show[1024];
    const char *names = cs_args_value(args, "show");
    int n = snprintf(show, sizeof show, "show=%s", names ? names : "");
    bool fits = n < (int)sizeof show;
    if (cs_args_value(args, "all"))
        return add(line, "all") ? CS_OK : CS_MEMORY;
    if (!names || (fits && add(line, show)))
        return CS_OK;
    cs_fail(err, CS_INPUT, "--show has more names than one line holds");
    cs_hint(err, "show all quantities with --all");
    return CS_INPUT;
}

/* Prints what a script answers to a line of Lua; nothing of an empty answer. */
static cs_status say_answer(cs_client *c, const char *line, cs_error *err)
{
    char *text = NULL;
    cs_status status = cs_front_hear(c, line, &text, err);
    if (status == CS_OK && *text) {
        putchar('\n');
        cs_text_write(text, strlen(text), stdout);
        putchar('\n');
    }
    free(text);
    return status;
}

/* Ends the files and shows the summary, of a part which it is; and where a script
 * was that did not want to stop. */
static cs_status finish(cs_client *c, const cs_args *args, double *told,
                        ending *out, cs_error *err)
{
    char line[LINE] = "summary";
    cs_seen s = {0};
    const cs_message *m;
    cs_status status = cs_front_ask(c, "pause", NULL, err);
    if (cs_stop_signal() && cs_follow_see(c, &s) &&
        strcmp(s.state, "failed") == 0)
        cs_follow_messages(&s, s.messages, told);
    if (status == CS_OK)
        status = cs_front_ask(c, "out", NULL, err);
    if (status == CS_OK)
        status = choose_rows(args, line, err);
    if (status == CS_OK)
        status = cs_front_ask(c, line, &m, err);
    if (status)
        return status;
    cs_text_write((const char *)m->body, m->size, stdout);
    if (!cs_args_value(args, "part"))
        say_ranking(c);
    if (cs_args_value(args, "bias") && !cs_stop_signal())
        status = say_answer(c, "lua run:bias()", err);
    if (status == CS_OK)
        status = say_answer(c, "lua run:claims() or ''", err);
    if (status == CS_OK)
        status = find_warnings(c, args, &out->warned, err);
    return status ? status : break_promises(c, &out->broken, err);
}

/* How many chains stopped: then the run did not do what was asked of it. */
static double stopped_chains(const cs_seen *s)
{
    if (s->stopped > 0)
        fprintf(stderr, "chainscope: %.0f of %.0f chains stopped\n", s->stopped,
                s->chains);
    return s->stopped;
}

/* The budget was spent before the warm-up of some arm was over. */
static bool ended_early(const cs_seen *s)
{
    bool early = s->tuned < 1 && strcmp(s->state, "done") == 0;
    if (early)
        fprintf(stderr,
                "chainscope: an arm has no draws: the run ended at step %.0f, "
                "before its warm-up did; give more steps, or its tuner "
                "fewer\n",
                s->steps);
    return early;
}

/* How far it came and where the draws are, when it did not end as it should. */
static void tell_where(const cs_args *args, const cs_seen *s)
{
    char clean[4096], share[32] = "";
    const char *out = cs_args_value(args, "out");
    bool dead = s->stopped > 0 && s->stopped >= s->chains;
    const char *on = dead                ? ""
                     : args->n_words > 1 ? "; the same command with --force "
                                           "merges again"
                                         : "; the same command with --resume "
                                           "goes on";
    if (s->progress >= 0)
        snprintf(share, sizeof share, " (%.0f %%)", floor(100 * s->progress));
    if (!out) {
        cs_stop_say("at step %.0f%s: no draws were written; with --out DIR "
                    "they are, and --resume goes on",
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

/* A signal to the whole group (kill, timeout) makes the session complete its
 * files by itself. */
static bool ended_by_itself(cs_client *c)
{
    char why[160];
    for (int i = 0; i < 50 && cs_client_alive(c, why, sizeof why); i++)
        cs_client_wait(c, 100);
    return !cs_client_alive(c, why, sizeof why) && cs_client_exit_code(c) == 0;
}

/* `opened`: what was seen of a recording that was opened. */
static int sample(cs_client *c, const cs_args *args, cs_seen *opened)
{
    cs_error err;
    double told = 0;
    bool replays = cs_args_value(args, "replay") != NULL;
    cs_status status = args->n_words > 1 ? CS_OK /* it is where it ends */
                       : replays         ? replay(c, args, opened, &told, &err)
                                         : cs_follow_budget(c, &told, &err);
    ending ended = {false, false};
    bool began = status != CS_INPUT;
    if (status && !(status == CS_STOPPED && cs_stop_signal())) /* tell_where */
        cs_complain(&err);
    cs_stop_finish();
    cs_status end = began ? finish(c, args, &told, &ended, &err) : CS_OK;
    if (end && !status && !(cs_stop_signal() && ended_by_itself(c)))
        cs_complain(&err);
    else
        end = CS_OK;
    cs_seen s = {0};
    if (began)
        cs_follow_see(c, &s);
    double stopped = stopped_chains(&s);
    bool early = ended_early(&s);
    if (began && (status || end || cs_stop_signal()))
        tell_where(args, &s);
    bool failed = status || end || ended.broken || early || stopped > 0;
    return failed ? CS_EXIT_FAILED : ended.warned ? CS_EXIT_WARNED : CS_EXIT_OK;
}

/* One of the ranks that mpirun has started, and not the first. */
static bool follows(const cs_args *args)
{
    return !cs_args_value(args, "part") && cs_join_expected().rank > 0;
}

/* What there is to say of the run the first rank says; what goes wrong here
 * while files are completed it does not know. */
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

/* Ranks of one machine share its processors. */
static cs_status join_ranks(const cs_args *args, cs_front_options *options,
                            cs_error *err)
{
    cs_rank me = cs_join_expected();
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    if (me.size == 1 || cs_args_value(args, "part") || args->n_words > 1)
        return CS_OK;
    if (cs_args_value(args, "replay")) {
        cs_fail(err, CS_INPUT, "a journal is replayed by one process");
        cs_hint(err, "leave out mpirun, or --replay");
        return CS_INPUT;
    }
    options->ranks = true;
    options->workers = n > (long)me.beside ? (size_t)n / me.beside : 1;
    options->prints = me.rank == 0;
    return CS_OK;
}

/* `chainscope train` is of scenarios that learn. */
static cs_status check_learns(cs_client *c, cs_error *err)
{
    cs_seen s = {0};
    cs_follow_see(c, &s);
    if (s.updates > 0)
        return CS_OK;
    cs_fail(err, CS_INPUT, "no arm of this scenario learns");
    cs_hint(err, "give one of them learn = { data = ..., updates = ... }, or "
                 "use `chainscope run`");
    return CS_INPUT;
}

static int run(const cs_args *args)
{
    cs_client *c;
    cs_error err;
    cs_front_options options = {.prints = true};
    bool first = !follows(args);
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

#define CS_STRICT_OPTION                                                       \
    {                                                                          \
        "strict", NULL,                                                        \
            "exit status 3 if an arm has a warning in the end; notes, which "  \
            "are true "                                                        \
            "of the method, do not count (summary.json: `warned`)"             \
    }

static const cs_option options[] = {
    {"out", "DIR", "draws (ARM_1.csv ...), checkpoint and summary go here"},
    {"steps", "N", "steps of each chain, instead of the scenario's budget"},
    {"warmup", "N",
     "steps of each chain before its draws begin, not among them; below 1 a "
     "share of the steps of the budget; unless the scenario says it a tenth, "
     "1000 at most; 0: none"},
    {"thin", "N", "write one draw each N steps"},
    {"save-warmup", NULL,
     "write the steps of warm-ups too, before the draws, as CmdStan does"},
    {"checkpoint", "SECONDS",
     "from one checkpoint to the next, 0: as often as can be; unless said 5, "
     "and more where one takes long"},
    {"part", "K/N",
     "run the K-th of N parts alone, here or elsewhere, in any order; "
     "`chainscope merge` puts them together. With --resume it goes on, or "
     "begins"},
    {"full", NULL, "in the scenario's full setting, as replicate does"},
    {"seed", "N", "instead of the scenario's"},
    {"chains", "N", "chains of every arm, instead of the scenario's"},
    {"workers", "N", "threads; results do not depend on them"},
    {"set", "ARM.PARAM=V",
     "change a parameter; may be repeated; with --resume from that step on"},
    {"bias", NULL,
     "estimate how far the draws of kernels without an accept step are off, by "
     "as many steps at half their step"},
    {"resume", NULL,
     "go on from the checkpoint in DIR, bit for bit: the same scenario, seed "
     "and chains; --steps, --set and --workers may be others"},
    {"replay", "FILE",
     "make the changes of a journal.txt again; of a .cast its run, if FILE is "
     "its scenario; no budget"},
    {"force", NULL, "write over what is in DIR"},
    CS_STRICT_OPTION,
    {"show", "NAME,...",
     "rows of these quantities too in the summary; of a vector all"},
    {"all", NULL,
     "rows of all quantities in the summary, instead of the worst"},
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_run = {
    .name = "run",
    .args = "FILE [--out DIR] [--steps N] ...",
    .help = "run a scenario without the screen",
    .more =
        "Ctrl-C stops at the next step and keeps everything.\n"
        "A budget's steps are of each chain; gradients, log densities and "
        "data terms\nare summed over the chains of an arm.\n"
        "A tenth of the budget's steps, at most 1000, is a warm-up: those "
        "steps are no\ndraws of arms without a tuner. "
        "`warmup` of the scenario or --warmup says\notherwise.\n"
        "Without --out only probes are fed that the summary or a claim "
        "reads, or that the\nscenario names in its field `probes`; all "
        "where a function of it may look.\n"
        "Started by mpirun, ranks share out its chains; the first says what "
        "there is to say.\n"
        "Exit status 1: it failed; or an arm has no draws; or, at the end "
        "of the\nscenario's own budget, a claim is not as the scenario "
        "says.\nExit status 3, with --strict: an arm has a warning.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .most_words = 1,
    .main = run,
};

static int merge(const cs_args *args)
{
    if (cs_args_value(args, "out") && cs_store_is(args->word[1]))
        return cs_store_merge(args);
    if (cs_args_value(args, "out"))
        return run(args);
    cs_error err;
    cs_fail(&err, CS_INPUT, "merge writes files");
    cs_hint(&err, "say where: --out DIR");
    cs_complain(&err);
    return CS_EXIT_USAGE;
}

static const cs_option merge_options[] = {
    {"out", "DIR", "the run goes here, as one process would have written it"},
    {"steps", "N", "what the parts were given"},
    {"warmup", "N", "what the parts were given"},
    {"full", NULL, "where the parts were run in the full setting"},
    {"seed", "N", "what the parts were given"},
    {"chains", "N", "what the parts were given"},
    {"workers", "N", "threads, should the run be gone on with"},
    {"set", "ARM.PARAM=V", "what the parts were given; may be repeated"},
    {"force", NULL, "write over what is in DIR"},
    CS_STRICT_OPTION,
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_merge = {
    .name = "merge",
    .args = "FILE PARTS ... --out DIR",
    .help = "make one run of parts that were run alone (run --part)",
    .more = "PARTS are folders that `chainscope run --part K/N --out` has "
            "written, or folders in\nwhich such are. Each part is to be there "
            "once, and to have ended; all of one run\nof one version, and of "
            "FILE with these options. The files of the draws, the\nsummary and "
            "the claims are those that one process would have made, but for "
            "the\nelapsed time, which is the sum of that of the parts.\n"
            "One part at a time is in memory.\n",
    .options = merge_options,
    .n_options = sizeof merge_options / sizeof *merge_options,
    .least_words = 2,
    .most_words = CS_ARGS_WORDS,
    .main = merge,
};
