/* chainscope sbc FILE: simulation-based calibration. Parameters are drawn from
 * the prior and data are drawn given the parameters, both as defined by the
 * scenario's field sbc. If kernels and target are correct, the ranks of the
 * parameters among posterior draws are uniform. The replicates are jobs of a
 * queue (cli/many/queue.h). */
#include "base/memory.h"
#include "base/text.h"
#include "cli/front/front.h"
#include "cli/line/output.h"
#include "cli/many/queue.h"
#include "cli/many/sbc_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 20, MOST = 20000, MOST_ROWS = 400 };

typedef struct calibration {
    const cs_args *args;
    cs_sbc found;
    cs_queue *queue;
} calibration;

/* ---- the jobs ---- */

static bool write_job(const calibration *k, size_t i, cs_job *job)
{
    const char *steps = cs_args_value(k->args, "steps");
    const char *arm = cs_args_value(k->args, "arm");
    bool fits = cs_queue_job(job, k->args->word[0], k->args);
    if (steps)
        fits = fits && cs_job_set(job, "steps=%s", steps);
    if (arm)
        fits = fits && cs_job_set(job, "arms#1=only %s", arm);
    if (cs_args_value(k->args, "full"))
        fits = fits && cs_job_set(job, "full=1");
    return fits && cs_job_set(job, "sbc=%zu", i + 1);
}

static cs_status describe(void *of, size_t i, cs_job *job, cs_error *err)
{
    snprintf(job->name, sizeof job->name, "data set %zu", i + 1);
    job->query = "results ranks";
    return write_job(of, i, job)
               ? CS_OK
               : cs_fail(err, CS_INPUT, "too many settings for one run");
}

static const char *file_of(void *of, size_t i)
{
    const calibration *k = of;
    (void)i;
    return k->args->word[0];
}

/* Opens the first replicate of the scenario, in order to read how many
 * replicates and how many draws there are. */
static cs_status ask_scenario(calibration *k, cs_error *err)
{
    static cs_job job;
    char *text = NULL;
    double replicates = 0, draws = 0;
    cs_status status = describe(k, 0, &job, err);
    if (status == CS_OK)
        status = cs_queue_ask(k->args, &job, "results calibration", &text, err);
    if (status == CS_OK && sscanf(text, "%lf %lf", &replicates, &draws) != 2)
        status = cs_fail(err, CS_INTERNAL,
                         "unexpected answer from the session: '%s'", text);
    free(text);
    k->found.draws = (size_t)draws;
    if (!k->found.replicates)
        k->found.replicates = (size_t)replicates;
    return status;
}

/* ---- ranks ---- */

static cs_sbc_row *row_of(calibration *k, const char *arm, const char *quantity)
{
    cs_sbc *s = &k->found;
    char a[sizeof s->row->arm], q[sizeof s->row->quantity];
    cs_text_clean(arm, a, sizeof a);
    cs_text_clean(quantity, q, sizeof q);
    for (size_t i = 0; i < s->rows; i++)
        if (strcmp(s->row[i].arm, a) == 0 && strcmp(s->row[i].quantity, q) == 0)
            return &s->row[i];
    if (s->rows == MOST_ROWS)
        return NULL;
    cs_sbc_row *r = &s->row[s->rows];
    r->rank = cs_alloc(s->replicates, sizeof *r->rank);
    if (!r->rank)
        return NULL;
    memcpy(r->arm, a, sizeof a);
    memcpy(r->quantity, q, sizeof q);
    s->rows++;
    return r;
}

/* Reads a line "arm quantity rank of effective used", whose fields are
 * separated by tabs. */
static cs_status take_line(calibration *k, char *line, cs_error *err)
{
    enum { ARM, QUANTITY, RANK, OF, EFFECTIVE, USED, FIELDS };
    char *field[FIELDS], *at = line;
    for (int i = 0; i < FIELDS; i++) {
        field[i] = at;
        at = at ? strchr(at, '\t') : NULL;
        if (at)
            *at++ = 0;
    }
    if (!field[USED])
        return cs_fail(err, CS_INPUT, "a rank is not a number");
    cs_sbc_row *r = row_of(k, field[ARM], field[QUANTITY]);
    if (!r || r->n == k->found.replicates)
        return cs_fail(err, CS_MEMORY, "out of memory for the ranks");
    double used = strtod(field[USED], NULL), of = strtod(field[OF], NULL);
    r->rank[r->n++] = strtod(field[RANK], NULL);
    r->effective += strtod(field[EFFECTIVE], NULL);
    r->used += used;
    r->poor += used + 1 < (of + 1) / 4;
    return CS_OK;
}

static cs_status take_result(calibration *k, size_t i, cs_error *err)
{
    const cs_result *r = cs_queue_result(k->queue, i);
    if (r->failure && k->found.failed++ == 0)
        cs_text_clean(r->failure, k->found.failure, sizeof k->found.failure);
    char *copy = r->text ? cs_copy_text(r->text) : NULL;
    cs_status status = CS_OK;
    for (char *at = copy; at && *at && status == CS_OK;) {
        char *end = strchr(at, '\n');
        if (end)
            *end++ = 0;
        status = take_line(k, at, err);
        at = end;
    }
    cs_free(copy);
    return status;
}

static cs_status gather(calibration *k, cs_error *err)
{
    cs_sbc *s = &k->found;
    s->row = cs_alloc(MOST_ROWS, sizeof *s->row);
    cs_status status =
        s->row ? CS_OK : cs_fail(err, CS_MEMORY, "out of memory for the ranks");
    for (size_t i = 0; i < s->replicates && status == CS_OK; i++)
        status = take_result(k, i, err);
    for (size_t i = 0; i < s->rows; i++) {
        s->row[i].effective /= (double)s->row[i].n;
        s->row[i].used /= (double)s->row[i].n;
    }
    if (status == CS_OK && s->rows == 0)
        status = cs_fail(err, CS_INPUT, "all runs failed: %s", s->failure);
    if (status == CS_OK && !cs_sbc_judge(s))
        status = cs_fail(err, CS_MEMORY, "out of memory for the bands");
    return status;
}

static bool all_hold(const cs_sbc *s)
{
    double p;
    bool good = true;
    for (size_t i = 0; i < s->rows; i++)
        good &= cs_sbc_verdict_of(s, s->row[i].arm, &p) == CS_SBC_HOLDS;
    return good;
}

static int show(calibration *k, const cs_sbc_format *f, const char *file)
{
    cs_page p = {0};
    cs_error err;
    cs_status status = gather(k, &err);
    if (status == CS_OK)
        status = f->put(&k->found, &p, &err);
    if (status == CS_OK)
        status = cs_output_put(&p, file, &err);
    cs_free(p.text);
    if (status)
        return cs_complain(&err);
    return all_hold(&k->found) ? CS_EXIT_OK : CS_EXIT_FAILED;
}

/* ---- the command ---- */

static int make_all(calibration *k, const cs_sbc_format *f, const char *file)
{
    cs_error err = {0};
    const cs_queue_spec spec = {.args = k->args,
                                .jobs = k->found.replicates,
                                .describe = describe,
                                .file = file_of,
                                .of = k};
    if (cs_queue_open(&k->queue, &spec, &err))
        return cs_complain(&err);
    cs_status status = cs_queue_work(k->queue, &err);
    int code = cs_queue_say_end(k->queue, status, &err);
    return code >= 0 ? code : show(k, f, file);
}

static const char *name_at(size_t i)
{
    const cs_sbc_format *f = cs_sbc_format_at(i);
    return f ? f->name : NULL;
}

static const char *suffix_at(size_t i)
{
    return cs_sbc_format_at(i)->suffix;
}

static cs_status read_options(calibration *k, size_t *format, const char **file,
                              cs_error *err)
{
    uint64_t replicates;
    cs_status status =
        cs_output_choose(k->args, name_at, suffix_at, format, file, err);
    if (status == CS_OK)
        status = cs_args_count(k->args, "replicates", 0, &replicates, err);
    if (status)
        return status;
    if (cs_args_value(k->args, "replicates") &&
        (replicates < LEAST || replicates > MOST))
        return cs_fail(err, CS_RANGE, "--replicates must be between %d and %d",
                       LEAST, MOST);
    k->found.replicates = replicates;
    k->found.file = k->args->word[0];
    return CS_OK;
}

static int sbc(const cs_args *args)
{
    static calibration k;
    cs_error err;
    size_t format;
    const char *file;
    k = (calibration){.args = args};
    if (read_options(&k, &format, &file, &err)) {
        cs_complain(&err);
        return CS_EXIT_USAGE;
    }
    int code = cs_output_ready(args, suffix_at(format), file, &err) ||
                       ask_scenario(&k, &err)
                   ? cs_complain(&err)
                   : make_all(&k, cs_sbc_format_at(format), file);
    cs_queue_close(k.queue);
    cs_sbc_fini(&k.found);
    return code;
}

static const cs_option options[] = {
    {"replicates", "N",
     "number of simulated data sets (default: the scenario's value, or 200)"},
    {"arm", "LIST", "only these arms"},
    {"steps", "N", "steps per chain, instead of the scenario's budget"},
    {"full", NULL, "use the scenario's full setting"},
    {"set", "ARM.PARAM=V", "change a parameter of all runs; may be repeated"},
    {"format", "NAME",
     "text, markdown, latex, html, svg, json or csv (default: from the file "
     "name)"},
    {"output", "FILE", "(-o) output file instead of stdout"},
    CS_QUEUE_OPTIONS,
    CS_FRONT_OPTIONS,
};

const cs_subcommand cs_subcommand_sbc = {
    .name = "sbc",
    .args = "FILE [--replicates N] ...",
    .help = "test by simulation-based calibration whether kernels sample the "
            "posterior correctly",
    .more = "The scenario's field `sbc` defines how parameters and data are "
            "simulated (cs.help\n"
            "\"sbc\"). Each data set is a separate run. Ranks are computed "
            "among thinned draws;\n"
            "their number is limited by the effective sample size.\n"
            "\n"
            "Ranks of parameters cannot reveal that data are missing from the "
            "likelihood: draws\n"
            "from the prior also give uniform ranks. The ranks of a quantity "
            "that depends on the\n"
            "data, for example the log likelihood as an output of the target, "
            "can reveal it.\n"
            "\n"
            "The exit code is 1 if the ranks of some arm are not uniform or "
            "cannot be assessed.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = 1,
    .main = sbc,
};
