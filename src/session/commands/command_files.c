/* Implements the commands that write and read files. */
#include "base/count.h"
#include "base/hash.h"
#include "base/install_paths.h"
#include "base/memory.h"
#include "base/page.h"
#include "data/inputs.h"
#include "files/file.h"
#include "files/overwrite.h"
#include "io/checkpoint.h"
#include "run/arms/arms.h"
#include "run/arms/limits.h"
#include "run/arms/share.h"
#include "run/history/changes.h"
#include "run/history/script_memory.h"
#include "run/save.h"
#include "run/summary/summary.h"
#include "run/summary/warned.h"
#include "run/summary/witnesses.h"
#include "session/commands/command.h"
#include "session/commands/lesson_stages.h"
#include "session/commands/lesson_steps.h"
#include "session/record/saved_script.h"
#include "session/state/opened.h"
#include "session/state/signals.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOURNAL_MOST = 1 << 26 };

/* Stops writing. Replies with the location of the files, or with a message that
 * no files are being written. */
static cs_status end_files(cs_session *s, cs_error *err)
{
    char folder[512] = "";
    if (s->record)
        snprintf(folder, sizeof folder, "%s", cs_record_folder(s->record));
    cs_status status = cs_session_finish(s, err);
    if (status)
        return status;
    if (*folder)
        cs_session_say(s, "the files in %s are complete", folder);
    cs_command_answer(
        s, "%s", *folder ? s->reported.newest : "no files are being written");
    s->show.dirty = true;
    return CS_OK;
}

/* Fails for a change if the session executes only a part of a run, since the
 * other parts could not make the change at the same step. */
static cs_status refuse_change(const char *set, cs_error *err)
{
    cs_fail(err, CS_INPUT, "a part cannot be changed during its run: --set %s",
            set);
    cs_hint(err, "use this value from the start, in every part");
    return CS_INPUT;
}

/* Applies the new settings of a resumed run, with which it was not opened
 * before. They become changes at the current step and are stored in the
 * journal. */
static cs_status set_anew(cs_session *s, cs_error *err)
{
    /* number of settings before the loop, which may add settings */
    size_t n_set = s->sets.n;
    for (size_t i = 0; i < n_set; i++) {
        char text[512], *equals;
        snprintf(text, sizeof text, "%s", s->sets.set[i]);
        equals = strchr(text, '=');
        if (!memchr(text, '.', (size_t)(equals - text)) ||
            cs_record_was_set(s->record, text))
            continue;
        if (!cs_share_is_all(cs_run_share(s->open.run)))
            return refuse_change(text, err);
        *equals = 0;
        char *word[] = {text, text, equals + 1};
        cs_status status = cs_command_set(s, word, 2, err);
        if (status)
            return status;
    }
    return CS_OK;
}

/* Copies the file name of the scenario, without its folder and without line
 * ends. */
static void name_scenario(const cs_session *s, cs_record_spec *spec)
{
    size_t size = 0;
    const char *slash = strrchr(s->open.file, '/');
    const char *text =
        s->open.inputs ? cs_inputs_scenario(s->open.inputs, &size) : NULL;
    spec->scenario = slash ? slash + 1 : s->open.file;
    spec->scenario_sum = text ? cs_checksum(text, size) : 0;
    if (!text || strpbrk(spec->scenario, "\r\n"))
        spec->scenario = NULL;
}

/* Implements `out DIR` (starts writing to the folder DIR) and `out` (stops
 * writing and completes the files). */
cs_status cs_command_write(cs_session *s, char **word, size_t n, cs_error *err)
{
    if (n == 0)
        return end_files(s, err);
    cs_status status = cs_session_finish(s, err);
    if (status)
        return status;
    const char *part[CS_WORDS];
    uint64_t every;
    cs_record_spec spec = {.folder = word[1],
                           .part = part,
                           .save_warmup = s->open.save_warmup,
                           .set = (const char *const *)s->sets.set,
                           .n_set = s->sets.n};
    name_scenario(s, &spec);
    for (size_t i = 2; i <= n && status == CS_OK; i++) {
        if (strcmp(word[i], "resume") == 0)
            spec.resume = true;
        else if (strcmp(word[i], "force") == 0)
            spec.force = true;
        else if (strcmp(word[i], "save_warmup") == 0)
            spec.save_warmup = true;
        else if (strncmp(word[i], "merge=", 6) == 0)
            part[spec.n_parts++] = word[i] + 6;
        else if (strncmp(word[i], "thin=", 5) == 0)
            status = cs_command_count(word[i] + 5, &spec.thin, err);
        else if (strncmp(word[i], "checkpoint=", 11) == 0) {
            status = cs_command_count(word[i] + 11, &every, err);
            spec.every = &every;
        } else
            status =
                cs_fail(err, CS_UNKNOWN, "out: unknown option '%s'", word[i]);
    }
    if (status == CS_OK)
        status = cs_record_create(&s->record, s->open.run, &spec, err);
    if (status == CS_OK && (spec.resume || spec.n_parts)) {
        cs_session_loaded(s);
        status = set_anew(s, err);
    }
    s->show.dirty = true;
    if (status)
        return status;
    cs_session_say(
        s, "draws from step %s on are written to %s%s",
        cs_count((double)cs_run_steps(s->open.run) + 1).text, word[1],
        cs_run_finished(s->open.run)
            ? ": the run has ended; draws follow only if it continues"
            : "");
    cs_command_answer(s, "%s", s->reported.newest);
    return CS_OK;
}

static cs_status save_script(cs_session *s, const char *path, cs_error *err)
{
    size_t lost;
    const cs_script_source source = {
        .run = s->open.run,
        .scenario = s->open.scenario,
        .set = (const char *const *)s->sets.set,
        .n_set = s->sets.n,
    };
    cs_status status = cs_script_save(&source, path, &lost, err);
    if (status)
        return status;
    cs_command_answer(s, "the changes are saved in the scenario %s", path);
    if (lost)
        cs_command_answer(
            s,
            "the changes are saved in %s, except %zu: not saved are changes by "
            "Lua functions, which the scenario must repeat itself, and target "
            "changes during the run",
            path, lost);
    const char *kept = cs_run_remembered(s->open.run);
    if (s->branched.there && kept && *kept)
        cs_command_answer(
            s,
            "the changes are saved in %s, but its draws differ: an arm was "
            "changed at a past step, and the scenario's events after it happen "
            "again; use :save NAME.checkpoint to save the run itself",
            path);
    return CS_OK;
}

cs_status cs_command_save(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run && n >= 1);
    (void)n;
    const char *slash = strrchr(word[1], '/');
    const char *dot = strchr(slash ? slash : word[1], '.');
    if (dot && strcmp(strrchr(dot, '.'), ".lua") == 0)
        return save_script(s, word[1], err);
    if (dot && strcmp(dot, ".checkpoint") != 0) {
        cs_fail(err, CS_INPUT, "save: unknown file ending '%s'", word[1]);
        cs_hint(err, "use NAME.lua (changes), NAME.checkpoint (the run), or "
                     ":screenshot NAME.svg (a picture)");
        return CS_INPUT;
    }
    cs_checkpoint c = {.thin = 1};
    cs_status status =
        cs_output_allow(word[1], CS_OUTPUT_CHECKPOINT, NULL, 0, err);
    if (status == CS_OK)
        status = cs_run_save(s->open.run, &c.run, &c.size, err);
    if (status)
        return status;
    status = cs_checkpoint_write(word[1], &c, err);
    cs_free(c.run);
    if (status == CS_OK)
        cs_command_answer(
            s, "the run at step %s is saved in %s; load continues it",
            cs_count((double)cs_run_steps(s->open.run)).text, word[1]);
    return status;
}

/* Returns true for a parameter of an arm, whose changes are in the journal.
 * Parameters of the target are set when the run is opened. */
static bool is_in_journal(const char *set)
{
    return strncmp(set, "target.", 7) != 0 &&
           strcspn(set, ".=") < strcspn(set, "=");
}

/* Writes the path of the scenario. The path of a scenario that is installed with
 * the program does not depend on the place of the program. */
static void put_path(cs_page *p, const char *file)
{
    char home[1024] = "";
    char *path = realpath(file, NULL), *own = NULL;
    if (path && cs_install_path(home, sizeof home, "scenarios"))
        own = realpath(home, NULL);
    size_t n = own ? strlen(own) : 0;
    bool installed = n && strncmp(path, own, n) == 0 && path[n] == '/';
    cs_page_put(p, "# scenario %s%s\n", installed ? "chainscope/scenarios" : "",
                installed ? path + n
                : path    ? path
                          : file);
    free(own);
    free(path);
}

/* Writes comments that identify the run to which the journal belongs. */
static void put_origin(cs_page *p, const cs_session *s)
{
    put_path(p, s->open.file);
    if (s->open.scenario)
        cs_page_put(p, "# digest %016llx\n",
                    (unsigned long long)cs_digest(CS_DIGEST, s->open.scenario,
                                                  strlen(s->open.scenario)));
    for (size_t i = 0; i < s->sets.n; i++)
        if (!is_in_journal(s->sets.set[i]) && !strchr(s->sets.set[i], '\n'))
            cs_page_put(p, "# set %s\n", s->sets.set[i]);
    cs_page_put(p, "# set seed=%llu\n",
                (unsigned long long)cs_run_seed(s->open.run));
    cs_page_put(p, "# made %016llx\n",
                (unsigned long long)cs_opened_made(&s->open));
}

cs_status cs_command_put_journal(cs_session *s, bool lesson, cs_page *p,
                                 cs_error *err)
{
    char *text;
    cs_status status = cs_run_journal_text(s->open.run, &text, err);
    if (status)
        return status;
    size_t title = strcspn(text, "\n") + 1;
    cs_page_put(p, "%.*s", (int)title, text);
    put_origin(p, s);
    if (lesson)
        cs_course_put_journal(s, p);
    cs_page_put(p, "%s", text + title);
    cs_free(text);
    return p->full ? cs_fail(err, CS_MEMORY, "out of memory for the journal")
                   : CS_OK;
}

cs_status cs_command_journal(cs_session *s, char **word, size_t n,
                             cs_error *err)
{
    assert(s->open.run);
    cs_page p = {0};
    if (n && strcmp(word[1], "inputs") != 0)
        return cs_fail(err, CS_INPUT,
                       "journal: expected `inputs` or no argument, not '%s'",
                       word[1]);
    cs_status status = cs_command_put_journal(s, true, &p, err);
    if (n)
        cs_inputs_put(s->open.inputs, &p);
    if (status == CS_OK && p.full)
        status = cs_fail(err, CS_MEMORY, "out of memory for the journal");
    if (status == CS_OK)
        cs_printer_page(s, &p);
    cs_free(p.text);
    return status;
}

/* Describes in `said` the changes that are missing from the journal; "" if
 * the journal has all changes. */
void cs_command_ahead(cs_session *s, const char *journal, char *said,
                      size_t size)
{
    const char *at = strstr(journal, "\n" CS_JOURNAL_AHEAD);
    *said = 0;
    if (!at)
        return;
    double ahead = strtod(at + strlen("\n" CS_JOURNAL_AHEAD), NULL);
    if (ahead > (double)cs_run_steps(s->open.run))
        snprintf(said, size,
                 "the run had gone back from step %s: later changes are not in "
                 "the journal, and script events happen again",
                 cs_count(ahead).text);
}

/* Moves the run to the journal's last step. The script's events do not
 * happen again, because the changes that they made are in the journal. */
cs_status cs_command_replay(cs_session *s, char **word, size_t n, cs_error *err)
{
    uint64_t step;
    char ahead[200] = "";
    unsigned char *text = NULL;
    size_t size;
    cs_status status = n > 1 ? cs_command_count(word[2], &step, err) : CS_OK;
    if (status == CS_OK && cs_command_is_cast(word[1]))
        return cs_command_replay_cast(s, word[1], n > 1 ? &step : NULL, err);
    if (status == CS_OK && n > 1)
        status =
            cs_fail(err, CS_INPUT, "a journal can only be replayed to its end");
    if (status == CS_OK && !s->open.run) /* cs_session_go reports that no run is
                                          * open */
        status = cs_session_go(s, 0, false, err);
    if (status)
        return status;
    status = cs_file_read(word[1], JOURNAL_MOST, &text, &size, err);
    if (status)
        return status;
    cs_session_pause(s);
    status = cs_command_is_of(s, (const char *)text, err);
    if (status == CS_OK)
        status = cs_stages_replay(s, (const char *)text, err);
    if (status == CS_OK)
        status = cs_session_replay(s, (const char *)text, err);
    if (status == CS_OK)
        cs_course_replay(s, (const char *)text);
    if (status == CS_OK)
        cs_command_ahead(s, (const char *)text, ahead, sizeof ahead);
    if (*ahead) {
        cs_session_say(s, "%s", ahead);
        cs_command_answer(s, "the run of the journal, at step %s\n%s",
                          cs_count((double)cs_run_steps(s->open.run)).text,
                          ahead);
    }
    cs_free(text);
    cs_session_placed(s, cs_run_steps(s->open.run), false);
    if (status)
        cs_where(err, word[1], 0);
    return status;
}

cs_status cs_command_load(cs_session *s, char **word, size_t n, cs_error *err)
{
    assert(s->open.run && n >= 1);
    (void)n;
    cs_checkpoint c;
    cs_status status = cs_checkpoint_read(&c, word[1], err);
    if (status)
        return status;
    cs_session_pause(s);
    status = cs_record_none(s->record, err);
    if (status == CS_OK) {
        status = cs_run_load(s->open.run, c.run, c.size, err);
        if (status)
            cs_where(err, word[1], 0);
    }
    cs_checkpoint_fini(&c);
    if (status)
        return status;
    /* the steps that lead to the saved state are not those of the session */
    cs_periods_forget(s);
    cs_periods_opened(s);
    cs_session_loaded(s);
    return CS_OK;
}

typedef struct law_line {
    const char *arm, *laws;
} law_line;

static const cs_column law_columns[] = {
    CS_COLUMN("arm", NULL, WORDS, 0, CS_AT(law_line, arm), .width = 14),
    CS_COLUMN("laws (chainscope check)", NULL, WORDS, 0, CS_AT(law_line, laws)),
};

/* Makes a table of the laws that :check has tested for the kernels, in this
 * session or in an earlier one. The table is printed together with the
 * diagnostics. */
static cs_cells table_of_laws(const cs_session *s)
{
    char text[160];
    cs_cells t =
        cs_cells_begin(law_columns, sizeof law_columns / sizeof *law_columns);
    t.gap = 1;
    if (!s->open.run || !cs_session_is_checked(s))
        return t;
    for (size_t i = 0; i < cs_run_arms(s->open.run); i++) {
        cs_session_laws(s, i, text, sizeof text);
        cs_cells_add(&t, &(law_line){cs_run_arm_name(s->open.run, i), text});
    }
    snprintf(text, sizeof text, "BROKEN: %s", s->checked.target);
    if (*s->checked.target)
        cs_cells_add(&t, &(law_line){"(target)", text});
    return t;
}

static void put_laws(const cs_session *s, const cs_markup *m, cs_page *p)
{
    cs_cells t = table_of_laws(s);
    if (t.rows && !m)
        cs_page_put(p, "\nlaws of the kernels (chainscope check)\n");
    for (size_t i = 1; i <= t.rows && !m; i++)
        cs_cells_line(&t, i, p);
    if (t.rows && m)
        cs_cells_put(&t, m, p);
    else if (m)
        cs_markup_paragraph(m, "The laws (chainscope check) were not tested.",
                            p);
    cs_cells_fini(&t);
}

/* Returns the run to summarise: the open one, or the one that the console
 * opened last, or NULL. */
static cs_run *run_to_summarise(const cs_session *s)
{
    return s->open.run       ? s->open.run
           : s->host->latest ? s->host->latest(s->host->self)
                             : NULL;
}

static cs_status summary_as(cs_session *s, const char *name, const char *also,
                            cs_page *p, cs_error *err)
{
    cs_run *run = run_to_summarise(s);
    const cs_markup *m = cs_markup_find(name);
    bool json = strcmp(name, "json") == 0, csv = strcmp(name, "csv") == 0;
    if (!m && !json && !csv) {
        cs_fail(err, CS_INPUT, "unknown summary format '%s'", name);
        cs_hint(err, "in " CS_MARKUP_NAMES ", json or csv");
        return CS_INPUT;
    }
    cs_flat claims = s->open.run ? cs_session_judge(s) : (cs_flat){0};
    const cs_flat *diagnosed = claims.base ? &claims : NULL;
    if (json)
        cs_summary_json(run, diagnosed, p);
    else if (csv)
        cs_summary_csv(run, p);
    else
        cs_summary_tables(run, diagnosed, also, m, p);
    if (m)
        put_laws(s, m, p);
    cs_free(claims.base);
    return CS_OK;
}

/* Prints one line "ARM: KIND" per warning that is more severe than a note. */
static void put_warned(cs_run *run, cs_page *p)
{
    cs_witnesses_look(run, NULL);
    for (size_t i = 0; i < cs_run_arms(run); i++) {
        const char *arm = cs_run_arm_name(run, i);
        cs_warnings w = cs_arm_warnings(run, i, NULL);
        const cs_warning *k;
        for (size_t j = 0; (k = cs_warning_at(j)); j++)
            if (w.text[j] && cs_severity_is_strict(k->severity))
                cs_page_put(p, "%s: %s\n", arm, k->name);
        p->full |= w.full;
        cs_warnings_free(&w);
    }
}

/* Parses "all" or "show=NAME,...". Each NAME is a quantity that is printed in
 * addition to the quantities that a summary selects. Returns NULL if the word
 * is the name of a format. */
static const char *shown_also(const char *word)
{
    static const char show[] = "show=";
    if (strcmp(word, "all") == 0)
        return "*";
    return strncmp(word, show, sizeof show - 1) == 0 ? word + sizeof show - 1
                                                     : NULL;
}

/* Prints a summary. Tables, and any summary that is too long for one message,
 * are sent in parts. */
cs_status cs_command_summary(cs_session *s, char **word, size_t n,
                             cs_error *err)
{
    cs_run *run = run_to_summarise(s);
    if (!run)
        return cs_session_go(s, 0, false, err); /* reports it */
    cs_page p = {0};
    cs_status status = cs_course_refuse(s, "summary", err);
    if (status)
        return status;
    const char *also = n ? shown_also(word[n]) : NULL;
    const char *format = n > (also != NULL) ? word[1] : NULL;
    if (cs_run_is_part(run)) {
        cs_share_words(run, &p);
        cs_page_put(&p, "\n");
    } else if (!format) {
        cs_summary_text(run, also, &p);
        put_laws(s, NULL, &p);
    } else if (strcmp(format, "warnings") == 0) {
        put_warned(run, &p);
    } else {
        status = summary_as(s, format, also, &p, err);
    }
    if (status == CS_OK && p.full)
        status = cs_fail(err, CS_MEMORY, "out of memory for the summary");
    if (status == CS_OK && p.text &&
        (format || !cs_message_text(&s->front.out, p.text)))
        cs_printer_page(s, &p);
    cs_free(p.text);
    return status;
}
