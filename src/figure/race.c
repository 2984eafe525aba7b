#include "figure/race.h"

#include "base/count.h"
#include "figure/distances.h"
#include "run/summary/paired.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST = 4 }; /* chains that tell an error */

/* A figure of an arm; error is that of its logarithm. */
typedef struct figure {
    double value, error, freedom;
    const char *vague; /* see cs_contender */
} figure;

static const figure none = {(double)NAN, (double)NAN, (double)NAN, NULL};

/* What figures are found from: of one arm. */
typedef struct question {
    const cs_shot *s;
    const cs_figure_look *at;
    const cs_runner *arms; /* [n] */
    size_t n, arm;
    cs_unit unit;
    double work; /* of a chain, or of all, at which the figure is wanted */
} question;

/* Of a mean over chains, from the values of each. */
static figure of_chains(const double *x, size_t n, size_t apart)
{
    double mean = 0, squares = 0, seen = 0;
    for (size_t i = 0; i < n; i++) {
        double v = x[i * apart];
        if (!isfinite(v))
            continue;
        double delta = v - mean;
        mean += delta / ++seen;
        squares += delta * (v - mean);
    }
    figure out = none;
    out.value = seen > 0 ? mean : (double)NAN;
    if (seen >= LEAST) {
        out.error = sqrt(squares / (seen - 1) / seen) / fabs(mean);
        out.freedom = seen - 1;
    }
    return out;
}

/* ---- effective draws ----------------------------------------------------- */

/* Beyond so large a part of the kept draws their effective size says nothing of
 * all steps. */
static const double full = 0.5;

/* Whether row k is of thinned draws which are as good as independent: then it
 * is too small. */
static bool is_cut(const question *q, size_t k, double ess)
{
    double whole = cs_shot_number(q->s, 1, "arm/%zu/diagnostics/whole", q->arm);
    double known = cs_shot_number(q->s, 0, "arm/%zu/diagnostics/known", q->arm);
    double kept = cs_shot_number(q->s, NAN, "arm/%zu/diagnostics/n", q->arm);
    return whole == 0 && (double)k >= known &&
           ess > full * kept * q->arms[q->arm].units;
}

/* Chains that do not agree, or never move, count as an effective draw or so
 * each, and without one of them the others do so, too: the jackknife sees little
 * error or none. Of autoregressive chains, and of such as rest and jump, four or
 * eight of them and stationary, its intervals of 95 % held in 33 to 92 of a
 * hundred below two draws a chain, in 83 to 99 above. */
static bool counts_chains(const question *q, double ess)
{
    double chains = cs_shot_number(q->s, q->arms[q->arm].units,
                                   "arm/%zu/diagnostics/chains", q->arm);
    return ess < 2 * chains;
}

/* Whether the arm is warned of draws that were made while its kernel adapts. */
static bool is_adapting(const question *q)
{
    const char *warned = cs_shot_text(q->s, "arm/%zu/warned", q->arm);
    const char *at = strstr(warned, "adapting");
    return at && (at == warned || at[-1] == ' ');
}

static figure size_of(const question *q, const cs_figures *row, size_t k)
{
    size_t r, c;
    figure out = none;
    const double *error =
        cs_shot_array(q->s, &r, &c, "arm/%zu/diagnostics/size_errors", q->arm);
    out.value = row[k].ess;
    out.freedom =
        cs_shot_number(q->s, NAN, "arm/%zu/diagnostics/size_freedom", q->arm);
    if (is_cut(q, k, out.value))
        out.vague = "has as many effective draws as are kept, or more, of all "
                    "steps";
    else if (is_adapting(q))
        out.vague = "adapts for more than a tenth of its draws";
    else if (counts_chains(q, out.value))
        out.vague = "has fewer than two effective draws a chain, too few to "
                    "compare";
    else if (error && k < r * c)
        out.error = error[k];
    return out;
}

static figure find_ess(const question *q)
{
    size_t n, worst = 0;
    const cs_figures *row =
        CS_SHOT_ROWS(q->s, cs_figures, &n, CS_KEY_FIGURES, q->arm);
    for (size_t k = 0; k < n; k++)
        if (!is_cut(q, k, row[k].ess) &&
            (row[k].ess < row[worst].ess || isnan(row[worst].ess)))
            worst = k;
    return row ? size_of(q, row, worst) : none;
}

static figure find_chosen(const question *q)
{
    size_t n, k = q->at->coordinate + 1; /* behind log p */
    const cs_figures *row =
        CS_SHOT_ROWS(q->s, cs_figures, &n, CS_KEY_FIGURES, q->arm);
    return row && k < n ? size_of(q, row, k) : none;
}

/* ---- at equal work ------------------------------------------------------- */

/* The first of the distances that there are. */
static cs_figure_look first_distance(const question *q)
{
    cs_figure_look at = *q->at;
    at.unit = q->unit;
    at.of = "";
    at.option = 0;
    return at;
}

/* The work until the last point of the curve, of a chain. */
static double reach_of_distance(const question *q)
{
    cs_distance_curve c;
    cs_figure_look at = first_distance(q);
    if (!cs_distance_find(q->s, &at, q->arm, &c) || c.n == 0 || !c.axis.known)
        return (double)NAN;
    return cs_axis_at(&c.axis, c.time[c.n - 1]);
}

static figure find_distance(const question *q)
{
    cs_distance_curve c;
    cs_figure_look at = first_distance(q);
    double y[CS_DISTANCE_POINTS], e[CS_DISTANCE_POINTS];
    if (!cs_distance_find(q->s, &at, q->arm, &c) || c.n > CS_DISTANCE_POINTS ||
        !c.axis.known)
        return none;
    for (size_t i = 0; i < c.n; i++) {
        y[i] = cs_distance_at(&c, i);
        e[i] = c.error && !c.log ? c.error[i] : (double)NAN;
    }
    double step = q->work / c.axis.each - c.axis.warmup;
    figure out = {.value = cs_value_at(c.time, y, c.n, step),
                  .freedom = q->arms[q->arm].units - 1};
    out.error = cs_value_at(c.time, e, c.n, step) / out.value;
    if (out.value <= 2 * c.law)
        out.vague = "is no farther from the exact answer than that may be off";
    return out;
}

/* Where a step of the arm's chains stands, in the work of all of them. */
static cs_axis axis_of_all(const question *q)
{
    const cs_runner *arm = &q->arms[q->arm];
    double each = arm->work[q->unit] / arm->work[CS_UNIT_STEPS];
    return (cs_axis){.warmup = arm->warmup,
                     .each = each * fmax(arm->chains, 1),
                     .known = each > 0};
}

static double reach_of_modes(const question *q)
{
    size_t r, c;
    if (!cs_shot_array(q->s, &r, &c, "arm/%zu/modes/first", q->arm))
        return (double)NAN;
    return q->arms[q->arm].work[q->unit];
}

static figure find_modes(const question *q)
{
    size_t chains, modes;
    const double *first =
        cs_shot_array(q->s, &chains, &modes, "arm/%zu/modes/first", q->arm);
    cs_axis axis = axis_of_all(q);
    figure out = none;
    if (!first || !axis.known)
        return out;
    out.value = 0;
    for (size_t m = 0; m < modes; m++) {
        double step = NAN;
        for (size_t c = 0; c < chains; c++)
            step = fmin(step, first[c * modes + m]);
        out.value += cs_axis_at(&axis, step) <= q->work * (1 + 1e-12);
    }
    return out;
}

static double reach_of_energy(const question *q)
{
    size_t r, n;
    const double *time =
        cs_shot_array(q->s, &r, &n, "arm/%zu/trace/time", q->arm);
    cs_axis axis = axis_of_all(q);
    return time && n && axis.known ? cs_axis_at(&axis, time[n - 1])
                                   : (double)NAN;
}

static figure find_energy(const question *q)
{
    size_t r, n, chains, bins;
    const double *time =
        cs_shot_array(q->s, &r, &n, "arm/%zu/trace/time", q->arm);
    const double *low =
        cs_shot_array(q->s, &chains, &bins, "arm/%zu/trace/0/low", q->arm);
    cs_axis axis = axis_of_all(q);
    figure out = none;
    if (!time || !low || bins != n || !axis.known ||
        *cs_shot_text(q->s, "arm/%zu/trace/logp", q->arm))
        return out;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < chains; c++)
            if (cs_axis_at(&axis, time[i]) <= q->work * (1 + 1e-12))
                out.value = fmin(out.value, low[c * bins + i]);
    return out;
}

/* ---- others -------------------------------------------------------------- */

static figure find_acceptance(const question *q)
{
    enum { WIDTH = sizeof(cs_row_acceptance) / sizeof(double) };
    size_t n;
    const cs_row_acceptance *row =
        CS_SHOT_ROWS(q->s, cs_row_acceptance, &n, CS_KEY_ACCEPTANCE, q->arm);
    if (!row || !(row->steps > 0))
        return none;
    figure out = of_chains(&row->accepted, n, WIDTH);
    out.value = cs_shot_accepted(q->s, q->arm);
    return out;
}

static figure find_kish(const question *q)
{
    enum { WIDTH = sizeof(cs_row_weights) / sizeof(double) };
    size_t n;
    const cs_row_weights *all =
        CS_SHOT_ROWS(q->s, cs_row_weights, &n, CS_KEY_WEIGHTS, q->arm);
    figure out = none;
    const cs_row_weights *row = CS_SHOT_ROWS(q->s, cs_row_weights, &n,
                                             "arm/%zu/weights/chains", q->arm);
    if (!all)
        return out;
    if (row)
        out = of_chains(&row->size, n, WIDTH);
    out.value = all->size;
    return out;
}

static figure find_terms(const question *q)
{
    figure out = none;
    out.value = q->arms[q->arm].work[CS_UNIT_TERMS];
    return out;
}

/* ---- the table ----------------------------------------------------------- */

typedef struct kind {
    const char *name, *what, *head, *note;
    cs_merit merit;
    bool rate;  /* for so much work, of all chains */
    bool seen;  /* see cs_ranking */
    bool apart; /* arms that have found fewer modes have no part in it */
    figure (*find)(const question *q);
    /* NULL: it is not compared at equal work. The work done by the last point
     * that is known. */
    double (*reach)(const question *q);
    const char *of; /* ... that work is of */
    const char *missing;
    const char *key[3]; /* arrays of an arm, one of which it is found from */
} kind;

static const kind kinds[CS_RACE_FIGURES] = {
    [CS_RACE_ESS] = {"ess",
                     "effective draws",
                     "ESS",
                     "of the quantity that has the fewest; more is better",
                     CS_MERIT_MORE,
                     true,
                     false,
                     true,
                     find_ess,
                     NULL,
                     "",
                     "has no effective size yet",
                     {"diagnostics/table"}},
    [CS_RACE_CHOSEN] = {"chosen",
                        "effective draws of the chosen coordinate",
                        "chosen",
                        "n chooses another; more is better",
                        CS_MERIT_MORE,
                        true,
                        false,
                        true,
                        find_chosen,
                        NULL,
                        "",
                        "has no effective size of it yet",
                        {"diagnostics/table"}},
    [CS_RACE_DISTANCE] = {"distance",
                          "distance from exact",
                          "distance",
                          "the mean of each chain's own; less is better",
                          CS_MERIT_LESS,
                          false,
                          false,
                          false,
                          find_distance,
                          reach_of_distance,
                          " a chain",
                          "has no distance yet",
                          {"distance/curve", "mmd/curve", "means/time"}},
    [CS_RACE_MODES] = {"modes",
                       "modes found",
                       "modes",
                       "by any chain; more is better",
                       CS_MERIT_NONE,
                       false,
                       true,
                       true,
                       find_modes,
                       reach_of_modes,
                       "",
                       "has no modes to find",
                       {"modes/first"}},
    [CS_RACE_ENERGY] = {"energy",
                        "lowest energy",
                        "low energy",
                        "-log p in nats, of any chain; less is better",
                        CS_MERIT_LESS,
                        false,
                        true,
                        false,
                        find_energy,
                        reach_of_energy,
                        "",
                        "has no exact log p",
                        {"trace/0/low"}},
    [CS_RACE_ACCEPTANCE] = {"acceptance",
                            "accepted share",
                            "accepted",
                            "of all steps; neither more nor less is better",
                            CS_MERIT_NONE,
                            false,
                            false,
                            false,
                            find_acceptance,
                            NULL,
                            "",
                            "has no accept step",
                            {"acceptance/chains"}},
    [CS_RACE_KISH] = {"kish",
                      "Kish's size of the weights",
                      "Kish",
                      "what weights leave of the draws; more is better",
                      CS_MERIT_MORE,
                      true,
                      false,
                      true,
                      find_kish,
                      NULL,
                      "",
                      "has no weights",
                      {"weights/all"}},
    [CS_RACE_TERMS] = {"terms",
                       "data terms",
                       "terms",
                       "rows of data looked at; says nothing by itself",
                       CS_MERIT_NONE,
                       true,
                       false,
                       false,
                       find_terms,
                       NULL,
                       "",
                       "looks at no rows of data",
                       {"data_terms"}},
};

const char *cs_race_name(cs_race_figure which)
{
    return which < CS_RACE_FIGURES ? kinds[which].name : NULL;
}

/* Data terms of a data term say nothing. */
static cs_unit unit_for(const cs_shot *s, cs_race_figure which, cs_unit unit)
{
    unit = cs_unit_of_figure(s, unit);
    return which == CS_RACE_TERMS && unit == CS_UNIT_TERMS ? CS_UNIT_STEPS
                                                           : unit;
}

/* Why an arm has no figures at all, NULL: it may have some. */
static const char *find_out(const cs_shot *s, size_t arm, const cs_runner *r)
{
    double failed = cs_shot_number(s, 0, "arm/%zu/failed", arm);
    if (!(r->work[CS_UNIT_STEPS] > 0))
        return "has not started";
    if (cs_shot_number(s, 1, "arm/%zu/tuned", arm) < 1)
        return "is in its warm-up";
    if (failed > 0 && failed >= r->chains)
        return "has stopped: all its chains failed";
    return NULL;
}

static const char inexact[] = "is not exact";

static void find_barred(const cs_shot *s, size_t arm, char *text, size_t size)
{
    const char *broken = cs_shot_text(s, "arm/%zu/broken", arm);
    *text = 0;
    if (*broken)
        snprintf(text, size, "has failed the law %s", broken);
    else if (!cs_shot_number(s, 1, "arm/%zu/exact", arm))
        snprintf(text, size, "%s", inexact);
    else if (cs_shot_number(s, 0, "arm/%zu/off", arm) > 0)
        snprintf(text, size, "is off the exact distribution");
}

/* Where no arm is exact, that bars none of them. */
static bool are_inexact(cs_racers *f)
{
    for (size_t arm = 0; arm < f->n; arm++)
        if (strcmp(f->arm[arm].barred, inexact) != 0)
            return false;
    for (size_t arm = 0; arm < f->n; arm++)
        *f->arm[arm].barred = 0;
    return f->n > 0;
}

void cs_race_line_up(const cs_shot *s, const cs_figure_look *at, cs_racers *out)
{
    *out = (cs_racers){.s = s, .at = *at, .n = cs_shot_arms(s)};
    for (size_t arm = 0; arm < out->n; arm++) {
        cs_runner *to = &out->arm[arm];
        double group = cs_shot_number(s, 1, "arm/%zu/group", arm);
        to->name = cs_shot_arm(s, arm);
        to->chains = (double)cs_shot_chains(s, arm);
        to->units = to->chains / fmax(group, 1);
        to->warmup = cs_shot_number(s, 0, "arm/%zu/warm_up", arm);
        for (cs_unit u = CS_UNIT_STEPS; u < CS_UNITS; u++)
            to->work[u] = cs_shot_work(s, arm, u);
        to->out = find_out(s, arm, to);
        find_barred(s, arm, to->barred, sizeof to->barred);
        to->apart = cs_shot_text(s, "arm/%zu/apart", arm);
    }
    out->inexact = are_inexact(out);
}

/* The largest work that all arms have reached which have this figure. */
static double equal_work(const kind *k, question q)
{
    double least = NAN;
    for (q.arm = 0; q.arm < q.n; q.arm++)
        if (!q.arms[q.arm].out)
            least = fmin(least, k->reach(&q));
    return least;
}

static figure value_of(const kind *k, const question *q, cs_race *out)
{
    char *why = out->why[q->arm];
    size_t size = sizeof out->why[0];
    const cs_runner *arm = &q->arms[q->arm];
    double work = arm->work[q->unit];
    snprintf(why, size, "%s", arm->out ? arm->out : "");
    if (arm->out)
        return none;
    if ((k->rate || k->reach) && !(work > 0)) {
        snprintf(why, size, "has no %s", cs_unit_at(q->unit)->many);
        return none;
    }
    figure f = k->find(q);
    if (k->rate)
        f.value *= cs_unit_at(q->unit)->in_lot / work;
    if (!isfinite(f.value))
        snprintf(why, size, "%s", k->missing);
    return isfinite(f.value) ? f : none;
}

/* Which of the distances it is, where arms have one. */
static void name_distance(const question *q, char *to, size_t size)
{
    cs_distance_curve c;
    cs_figure_look at = first_distance(q);
    *to = 0;
    for (size_t arm = 0; arm < cs_shot_arms(q->s) && !*to; arm++)
        if (cs_distance_find(q->s, &at, arm, &c))
            snprintf(to, size, " (%.60s)", c.name);
}

static void name_it(const kind *k, const question *q, cs_race *out)
{
    const cs_unit_row *unit = cs_unit_at(out->unit);
    char which[64] = "";
    if (out->figure == CS_RACE_DISTANCE)
        name_distance(q, which, sizeof which);
    snprintf(out->title, sizeof out->title, "%s%s%s%s", k->what, which,
             k->rate ? " per " : "", k->rate ? unit->lot : "");
    snprintf(out->brief, sizeof out->brief, "%s%s%s", k->head,
             k->rate ? "/" : "", k->rate ? unit->brief : "");
    if (k->rate)
        snprintf(out->where, sizeof out->where, " per %s", unit->one);
    else if (isfinite(out->work))
        snprintf(out->where, sizeof out->where, " at %s %s%s",
                 cs_num(out->work).text, unit->many, k->of);
}

/* How many modes each has found stands beside its draws: who has not found as
 * many as another is not compared with that one. */
static void add_modes(question q, cs_race *out)
{
    const kind *k = &kinds[CS_RACE_MODES];
    size_t r, c, modes = 0;
    q.work = equal_work(k, q);
    for (q.arm = 0; q.arm < q.n; q.arm++) {
        cs_contender *to = &out->arm[q.arm];
        if (q.arms[q.arm].out ||
            !cs_shot_array(q.s, &r, &c, "arm/%zu/modes/first", q.arm))
            continue;
        modes = c;
        to->modes = find_modes(&q).value;
        const double *jumps =
            cs_shot_array(q.s, &r, &c, "arm/%zu/modes/jumps", q.arm);
        to->stays = jumps != NULL;
        for (size_t i = 0; jumps && i < r * c; i++)
            to->stays &= jumps[i] == 0;
    }
    snprintf(out->at, sizeof out->at, " within %s %s", cs_num(q.work).text,
             cs_unit_at(out->unit)->many);
    out->ranking.modes = modes ? (double)modes : (double)NAN;
    out->ranking.at = out->at;
}

/* ---- replicates ---------------------------------------------------------- */

/* The figures of all replicates, as many as there are; false: none has any. */
static bool copy_runs(const cs_figure_look *at, cs_race *out)
{
    const cs_replicas *all = at->replicas;
    size_t arms = out->ranking.n, n = all ? all->n : 0;
    bool any = false;
    for (size_t i = 0; i < n; i++)
        for (size_t arm = 0; arm < arms; arm++) {
            const cs_replicated *r = &all->run[i];
            bool other = out->figure == CS_RACE_CHOSEN &&
                         r->coordinate != at->coordinate;
            double v = r->value[out->figure][out->unit][arm];
            out->run[i * arms + arm] = other ? (double)NAN : v;
            any |= !other && isfinite(v);
        }
    out->runs = any ? n : 0;
    return any;
}

/* The mean of an arm's figures over all replicates; in the place of its own where
 * there are enough to tell an error. */
static void take_mean(const kind *k, size_t arm, cs_race *out)
{
    cs_contender *to = &out->arm[arm];
    bool logs = k->merit != CS_MERIT_NONE && !k->seen;
    cs_paired p =
        cs_paired_of(out->run + arm, NULL, out->runs, out->ranking.n, logs);
    out->mean[arm] = logs ? exp(p.mean) : p.mean;
    if (out->runs < CS_RANKING_RUNS)
        return;
    to->value = out->mean[arm];
    to->error = logs || k->seen ? p.error : p.error / fabs(p.mean);
    to->freedom = (double)p.n - 1;
    if (p.n == 0 && !to->missing)
        to->missing = "has no figure in any replicate";
}

static void take_replicates(const kind *k, const cs_figure_look *at,
                            cs_race *out)
{
    if (!copy_runs(at, out))
        return;
    for (size_t arm = 0; arm < out->ranking.n; arm++)
        take_mean(k, arm, out);
    if (out->runs < CS_RANKING_RUNS)
        return;
    out->ranking.run = out->run;
    out->ranking.runs = out->runs;
    size_t end = strlen(out->title);
    snprintf(out->title + end, sizeof out->title - end, "%s, mean of %zu seeds",
             k->reach ? " at equal work" : "", out->runs);
    end = k->reach ? 0 : strlen(out->where);
    snprintf(out->where + end, sizeof out->where - end, "%s over %zu seeds",
             k->reach ? " at equal work" : "", out->runs);
    out->work = (double)NAN; /* each has its own */
}

/* In seconds there is none. */
static void keep_arm(const cs_racers *field, const cs_race *r, size_t arm,
                     cs_replicated *out)
{
    double value = (double)NAN, low = (double)NAN, high = (double)NAN;
    if (arm < field->n && r->unit != CS_UNIT_SECONDS) {
        value = r->arm[arm].value;
        if (!cs_race_interval(r, arm, &low, &high))
            low = high = (double)NAN;
    }
    out->value[r->figure][r->unit][arm] = value;
    out->low[r->figure][r->unit][arm] = low;
    out->high[r->figure][r->unit][arm] = high;
}

void cs_race_keep(const cs_shot *s, size_t coordinate, cs_replicated *out)
{
    cs_figure_look at = {.of = "", .coordinate = coordinate};
    out->coordinate = coordinate;
    for (cs_unit u = CS_UNIT_USUAL; u < CS_UNITS; u++)
        for (cs_race_figure f = 0; f < CS_RACE_FIGURES; f++) {
            cs_race r;
            cs_racers field;
            at.unit = u;
            cs_race_line_up(s, &at, &field);
            cs_race_find(&field, f, &r);
            for (size_t arm = 0; arm < CS_SHOT_ARMS; arm++)
                keep_arm(&field, &r, arm, out);
        }
}

bool cs_race_pair(const cs_race *r, size_t a, size_t b, double level,
                  cs_lead *lead)
{
    cs_ranking pairs = r->ranking;
    pairs.run = r->run;
    pairs.runs = r->runs;
    return cs_ranking_lead(&pairs, a, b, level, lead);
}

/* ---- the race ------------------------------------------------------------ */

void cs_race_find(const cs_racers *f, cs_race_figure which, cs_race *out)
{
    const kind *k = &kinds[which];
    memset(out, 0, sizeof *out);
    out->figure = which;
    out->unit = unit_for(f->s, which, f->at.unit);
    out->note = k->note;
    question q = {f->s, &f->at, f->arm, f->n, 0, out->unit, (double)NAN};
    if (k->reach)
        q.work = equal_work(k, q);
    out->work = q.work;
    name_it(k, &q, out);
    out->ranking = (cs_ranking){.arm = out->arm,
                                .n = f->n,
                                .merit = k->merit,
                                .seen = k->seen,
                                .what = k->what,
                                .where = out->where,
                                .inexact = f->inexact,
                                .modes = NAN};
    const char *apart = cs_shot_text(f->s, "run/apart");
    out->ranking.apart = *apart ? apart : NULL;
    for (q.arm = 0; q.arm < f->n; q.arm++) {
        figure v = value_of(k, &q, out);
        const char *barred = f->arm[q.arm].barred, *why = out->why[q.arm];
        const char *at_odds = f->arm[q.arm].apart;
        out->arm[q.arm] = (cs_contender){.name = f->arm[q.arm].name,
                                         .value = v.value,
                                         .error = v.error,
                                         .freedom = v.freedom,
                                         .modes = NAN,
                                         .barred = *barred ? barred : NULL,
                                         .vague = v.vague,
                                         .apart = *at_odds ? at_odds : NULL,
                                         .missing = *why ? why : NULL};
    }
    if (k->apart)
        add_modes(q, out);
    take_replicates(k, &f->at, out);
    cs_ranking_sort(&out->ranking, out->order);
}

bool cs_race_has(const cs_racers *f, cs_race_figure which)
{
    const kind *k = &kinds[which];
    size_t r, c;
    for (size_t arm = 0; arm < f->n; arm++)
        for (size_t i = 0; i < 3 && k->key[i]; i++)
            if (cs_shot_array(f->s, &r, &c, "arm/%zu/%s", arm, k->key[i]))
                return which != CS_RACE_TERMS ||
                       f->arm[arm].work[CS_UNIT_TERMS] > 0;
    return false;
}

void cs_race_say(const cs_racers *f, char *text, size_t size)
{
    cs_race r;
    bool far = f->inexact && cs_race_has(f, CS_RACE_DISTANCE);
    cs_race_find(f, far ? CS_RACE_DISTANCE : CS_RACE_ESS, &r);
    cs_ranking_say(&r.ranking, text, size);
    size_t used = strlen(text), all = cs_shot_all_arms(f->s);
    if (used && all > CS_SHOT_ARMS)
        snprintf(text + used, size - used,
                 "; of %zu arms only the first %d are compared", all,
                 CS_SHOT_ARMS);
}

bool cs_race_interval(const cs_race *r, size_t i, double *low, double *high)
{
    const cs_contender *c = &r->arm[i];
    *low = *high = NAN;
    if (!(c->error >= 0) || !(c->freedom > 0) || !isfinite(c->value))
        return false;
    double far = gsl_cdf_tdist_Pinv(0.975, c->freedom) * c->error;
    if (r->ranking.seen) {
        *low = c->value - far;
        *high = c->value + far;
        return true;
    }
    *low = c->value * exp(-far);
    *high = c->value * exp(far);
    return isfinite(*high);
}
