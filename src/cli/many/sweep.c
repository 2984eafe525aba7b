/* chainscope sweep FILE --over NAME=VALUES ...: computes figures (such as ess)
 * of a scenario's arms at each point of a grid of parameters. All points have
 * the same budget of work. The runs are jobs of a queue (cli/many/queue.h), one
 * per point and seed. */
#include "base/memory.h"
#include "base/text.h"
#include "cli/front/front.h"
#include "cli/line/output.h"
#include "cli/many/queue.h"
#include "cli/many/sweep_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 100000, MOST_SEEDS = 1000 };

typedef struct sweeping {
    const cs_args *args;
    cs_sweep_axis axis[CS_ARGS_OVER];
    cs_sweep sweep;
    char only[400]; /* a setting that keeps only some of the arms, for example
                     * "arms#1=only small"; "": keeps all arms */
    cs_queue *queue;
} sweeping;

/* ---- the jobs ---- */

/* Chooses the arms: the arms named by --arm or, without this option, the arms
 * whose parameters are swept. */
static cs_status choose_arms(sweeping *w, cs_error *err)
{
    char arm[CS_SWEEP_AXIS_NAME];
    const char *given = cs_args_value(w->args, "arm");
    size_t used = 0;
    if (given && strcmp(given, "all") == 0)
        return CS_OK;
    if (given)
        used =
            (size_t)snprintf(w->only, sizeof w->only, "arms#1=only %s", given);
    for (size_t a = 0; a < w->args->n_over && !given; a++)
        if (cs_sweep_axis_arm(&w->axis[a], arm) && used < sizeof w->only)
            used += (size_t)snprintf(w->only + used, sizeof w->only - used,
                                     "%s%s", used ? "," : "arms#1=only ", arm);
    return used < sizeof w->only
               ? CS_OK
               : cs_fail(err, CS_INPUT, "the names of the arms are too long");
}

static bool is_sweep_axis(const sweeping *w, const char *name)
{
    for (size_t a = 0; a < w->args->n_over; a++)
        if (strcmp(w->axis[a].name, name) == 0)
            return true;
    return false;
}

static const char *figures_of(const sweeping *w)
{
    const char *given = cs_args_value(w->args, "figures");
    return given ? given : "ess,acceptance";
}

static bool write_sets(const sweeping *w, size_t point, size_t seed,
                       cs_job *job)
{
    const char *steps = cs_args_value(w->args, "steps");
    bool fits = true;
    if (steps)
        fits = cs_job_set(job, "steps=%s", steps);
    for (size_t a = 0; a < w->sweep.n_axes; a++)
        fits = fits && cs_job_set(job, "%s=%s", w->axis[a].name,
                                  cs_sweep_value(&w->sweep, point, a));
    if (is_sweep_axis(w, "chains") && !is_sweep_axis(w, "steps"))
        fits = fits && cs_job_set(job, "equal=1");
    if (*w->only)
        fits = fits && cs_job_set(job, "%s", w->only);
    if (cs_args_value(w->args, "full"))
        fits = fits && cs_job_set(job, "full=1");
    if (seed)
        fits = fits && cs_job_set(job, "replicate=%zu", seed);
    return fits && cs_job_set(job, "figures=%s", figures_of(w));
}

static cs_status describe(void *of, size_t i, cs_job *job, cs_error *err)
{
    const sweeping *w = of;
    const cs_sweep *s = &w->sweep;
    size_t point = i / s->seeds, seed = i % s->seeds, used = 0;
    for (size_t a = 0; a < s->n_axes && used < sizeof job->name; a++)
        used += (size_t)snprintf(job->name + used, sizeof job->name - used,
                                 "%s%s=%s", a ? " " : "", w->axis[a].name,
                                 cs_sweep_value(s, point, a));
    if (s->seeds > 1 && used < sizeof job->name)
        snprintf(job->name + used, sizeof job->name - used, ", seed %zu",
                 seed + 1);
    job->query = "results figures";
    bool fits = cs_queue_job(job, w->args->word[0], w->args) &&
                write_sets(w, point, seed, job);
    return fits ? CS_OK
                : cs_fail(err, CS_INPUT, "too many settings for one run");
}

static const char *file_of(void *of, size_t i)
{
    const sweeping *w = of;
    (void)i;
    return w->args->word[0];
}

/* ---- results ---- */

/* Splits a line at its tabs, in place; returns the number of fields. */
static size_t fields_of(char *line, char **field, size_t most)
{
    size_t n = 0;
    for (char *at = line; at && n < most;) {
        char *tab = strchr(at, '\t');
        if (tab)
            *tab++ = 0;
        field[n++] = at;
        at = tab;
    }
    return n;
}

/* Reads a string as written by lua/chainscope/results.lua: "=text", or "-" for
 * no string. */
static void take_word(const char *field, char *out, size_t size)
{
    cs_text_clean(*field == '=' ? field + 1 : "", out, size);
}

/* Returns the index of a name; adds a new name if there is room. Returns `most`
 * if there is no room. */
static size_t number_of(char (*name)[64], size_t *n, size_t most,
                        const char *one)
{
    size_t i = 0;
    while (i < *n && strcmp(name[i], one) != 0)
        i++;
    if (i == *n && i < most) {
        cs_text_clean(one, name[i], sizeof name[i]);
        ++*n;
    }
    return i;
}

enum { ARM, FIGURE, VALUE, ERROR, FREEDOM, BY, WHY, FIELDS };

/* Function that is called as f(w, job, field[FIELDS]) for each line. */
typedef void take_line(sweeping *w, size_t job, char **field);

static void each_line(sweeping *w, size_t job, take_line *take)
{
    const cs_result *r = cs_queue_result(w->queue, job);
    char *copy = r->text ? cs_copy_text(r->text) : NULL, *field[FIELDS];
    for (char *at = copy; at && *at;) {
        char *end = strchr(at, '\n');
        if (end)
            *end++ = 0;
        if (fields_of(at, field, FIELDS) == FIELDS)
            take(w, job, field);
        at = end;
    }
    cs_free(copy);
}

/* First pass: collects the arms and figures. */
static void take_names(sweeping *w, size_t job, char **field)
{
    cs_sweep *s = &w->sweep;
    (void)job;
    number_of(s->arm, &s->arms, CS_SWEEP_ARMS, field[ARM]);
    if (field[FIGURE][0] == '@') {
        cs_text_clean(field[FIGURE] + 1, s->unit, sizeof s->unit);
        return;
    }
    size_t f =
        number_of(s->figure, &s->figures, CS_SWEEP_FIGURES, field[FIGURE]);
    if (f == CS_SWEEP_FIGURES)
        return;
    s->type[f] = cs_sweep_type(s->figure[f]);
}

/* Second pass: collects the values. If there are several seeds, `value`
 * accumulates the mean of the values, and `error` accumulates their sum of
 * squared deviations. */
static void take_numbers(sweeping *w, size_t job, char **field)
{
    cs_sweep *s = &w->sweep;
    size_t point = job / s->seeds;
    size_t arm = number_of(s->arm, &s->arms, s->arms, field[ARM]);
    double value = strtod(field[VALUE], NULL);
    if (arm == s->arms)
        return;
    if (field[FIGURE][0] == '@') {
        s->work[point * s->arms + arm] = value;
        return;
    }
    size_t f = number_of(s->figure, &s->figures, s->figures, field[FIGURE]);
    if (f == s->figures)
        return;
    cs_sweep_cell *c = cs_sweep_at(s, point, arm, f);
    take_word(field[WHY], c->why, sizeof c->why);
    if (s->seeds == 1) {
        c->value = value;
        c->error = strtod(field[ERROR], NULL);
        c->freedom = strtod(field[FREEDOM], NULL);
        take_word(field[BY], c->by, sizeof c->by);
        return;
    }
    /* the mean and the sum of squares are updated by Welford's algorithm */
    double n = c->freedom + 1, before = c->value;
    c->value = n == 1 ? value : before + (value - before) / n;
    c->error = n == 1 ? 0 : c->error + (value - before) * (value - c->value);
    c->freedom = n;
}

/* Computes the standard error of the mean over the seeds. */
static void close_seeds(cs_sweep *s)
{
    size_t n = s->points * s->arms * s->figures;
    for (size_t i = 0; i < n && s->seeds > 1; i++) {
        cs_sweep_cell *c = &s->cell[i];
        double seeds = c->freedom;
        c->freedom = seeds > 1 ? seeds - 1 : 0;
        c->error =
            seeds > 1 ? sqrt(c->error / (seeds - 1) / seeds) : (double)NAN;
        if (seeds > 0)
            snprintf(c->by, sizeof c->by, "spread of %.0f seeds", seeds);
    }
}

static cs_status make_room(cs_sweep *s, cs_error *err)
{
    size_t cells = s->points * s->arms * s->figures;
    s->work = cs_alloc(s->points * s->arms + 1, sizeof *s->work);
    s->cell = cs_alloc(cells + 1, sizeof *s->cell);
    s->failure = cs_alloc(s->points + 1, sizeof *s->failure);
    if (!s->work || !s->cell || !s->failure)
        return cs_fail(err, CS_MEMORY, "out of memory for the table");
    for (size_t i = 0; i < s->points * s->arms; i++)
        s->work[i] = (double)NAN;
    for (size_t i = 0; i < cells; i++)
        s->cell[i].value = s->cell[i].error = (double)NAN;
    return CS_OK;
}

static cs_status gather(sweeping *w, cs_error *err)
{
    cs_sweep *s = &w->sweep;
    size_t jobs = s->points * s->seeds;
    for (size_t i = 0; i < jobs; i++)
        each_line(w, i, take_names);
    if (s->arms == 0) {
        const cs_result *r = cs_queue_result(w->queue, 0);
        return cs_fail(err, CS_INPUT, "all runs failed: %s",
                       r->failure ? r->failure : "they produced no figures");
    }
    cs_status status = make_room(s, err);
    for (size_t i = 0; i < jobs && status == CS_OK; i++) {
        const cs_result *r = cs_queue_result(w->queue, i);
        if (r->failure)
            cs_text_clean(r->failure, s->failure[i / s->seeds],
                          sizeof *s->failure);
        each_line(w, i, take_numbers);
    }
    if (status == CS_OK)
        close_seeds(s);
    return status;
}

static cs_status show(sweeping *w, const cs_sweep_format *f, const char *file,
                      cs_error *err)
{
    cs_page p = {0};
    cs_status status = gather(w, err);
    if (status == CS_OK)
        status = f->put(&w->sweep, &p, err);
    if (status == CS_OK)
        status = cs_output_put(&p, file, err);
    cs_free(p.text);
    return status;
}

/* ---- the command ---- */

static cs_status read_grid(sweeping *w, cs_error *err)
{
    cs_sweep *s = &w->sweep;
    uint64_t seeds;
    cs_status status = cs_args_count(w->args, "seeds", 1, &seeds, err);
    if (status == CS_OK && (seeds < 1 || seeds > MOST_SEEDS))
        status = cs_fail(err, CS_RANGE, "--seeds must be between 1 and %d",
                         MOST_SEEDS);
    if (status == CS_OK && w->args->n_over == 0) {
        status = cs_fail(err, CS_INPUT, "no parameter to sweep");
        cs_hint(err, "add a parameter, such as --over arm.step=0.1..2:log:12");
    }
    s->points = 1;
    for (size_t a = 0; a < w->args->n_over && status == CS_OK; a++) {
        status = cs_sweep_axis_read(&w->axis[a], w->args->over[a], err);
        for (size_t b = 0; b < a && status == CS_OK; b++)
            if (strcmp(w->axis[a].name, w->axis[b].name) == 0)
                status = cs_fail(err, CS_INPUT, "--over %s is given twice",
                                 w->axis[a].name);
        s->points *= w->axis[a].n;
        if (status == CS_OK && s->points > MOST_POINTS)
            status = cs_fail(err, CS_RANGE, "the grid has more than %d points",
                             MOST_POINTS);
    }
    s->file = w->args->word[0];
    s->axis = w->axis;
    s->n_axes = w->args->n_over;
    s->seeds = seeds;
    return status ? status : choose_arms(w, err);
}

static int make_all(sweeping *w, const cs_sweep_format *f, const char *file)
{
    cs_error err = {0};
    const cs_queue_spec spec = {.args = w->args,
                                .jobs = w->sweep.points * w->sweep.seeds,
                                .describe = describe,
                                .file = file_of,
                                .of = w};
    if (cs_queue_open(&w->queue, &spec, &err))
        return cs_complain(&err);
    cs_status status = cs_queue_work(w->queue, &err);
    int code = cs_queue_say_end(w->queue, status, &err);
    if (code >= 0)
        return code;
    if (show(w, f, file, &err))
        return cs_complain(&err);
    for (size_t i = 0; i < w->sweep.points; i++)
        if (*w->sweep.failure[i])
            return CS_EXIT_FAILED;
    return CS_EXIT_OK;
}

static const char *name_at(size_t i)
{
    const cs_sweep_format *f = cs_sweep_format_at(i);
    return f ? f->name : NULL;
}

static const char *suffix_at(size_t i)
{
    return cs_sweep_format_at(i)->suffix;
}

static int sweep(const cs_args *args)
{
    static sweeping w;
    cs_error err;
    size_t format;
    const char *file;
    w = (sweeping){.args = args};
    cs_status status =
        cs_output_choose(args, name_at, suffix_at, &format, &file, &err);
    if (status == CS_OK)
        status = read_grid(&w, &err);
    int code = CS_EXIT_USAGE;
    if (status)
        cs_complain(&err);
    else if (cs_output_ready(args, suffix_at(format), file, &err))
        code = cs_complain(&err);
    else
        code = make_all(&w, cs_sweep_format_at(format), file);
    cs_queue_close(w.queue);
    cs_sweep_fini(&w.sweep);
    for (size_t a = 0; a < CS_ARGS_OVER; a++)
        cs_sweep_axis_fini(&w.axis[a]);
    return code;
}

static const cs_option options[] = {
    {"over", "NAME=VALUES",
     "values of arm.parameter, target.parameter, chains, seed, steps or "
     "another budget: 1,4 or 0.1..2:12 (12 values) or 0.1..2:log:12 "
     "(logarithmic); if repeated, all combinations are run"},
    {"figures", "LIST",
     "figures to compute; mean(1) is the mean of the first coordinate "
     "(ess,acceptance)"},
    {"arm", "LIST",
     "only these arms (default: the arms that --over changes, or all arms if "
     "it changes none)"},
    {"seeds", "N",
     "runs per point; errors are then computed from the spread of the runs"},
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

const cs_subcommand cs_subcommand_sweep = {
    .name = "sweep",
    .args = "FILE --over NAME=VALUES ...",
    .help = "compute figures at each point of a grid of parameters, with the "
            "same work at each point",
    .more =
        "All points have the scenario's budget; its stopping rule is ignored. "
        "If chains are\n"
        "swept, the total number of steps over an arm's chains is constant. "
        "For equal\n"
        "numbers of gradients add --set gradients=1e6.\n"
        "\n"
        "Totals such as ess are not ranked if the arms differ in work. A run "
        "that fails is\n"
        "reported and the others continue; the exit code is then 1. Ctrl-C "
        "keeps the results\n"
        "in --out.\n",
    .options = options,
    .n_options = sizeof options / sizeof *options,
    .least_words = 1,
    .max_words = 1,
    .main = sweep,
};
