#include "race/race.h"

#include "base/count.h"
#include "figure/figure.h"
#include "run/summary/paired.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the figures of the race --------------------------------------------- */

/* The presentation of a figure in the race. */
typedef struct kind {
    const cs_figure_type *figure;
    const char *name; /* NULL: the name of the figure */
    const char *what; /* NULL: the title of the figure */
    const char *head, *note;
    /* words that follow the unit of work, such as " per chain" */
    const char *of;
    /* text for a missing value; NULL: the text of the figure */
    const char *missing;
    const char *key[3]; /* array keys; an arm needs one of these arrays */
    bool chosen;        /* the figure is for the chosen coordinate */
} kind;

static const kind kinds[CS_RACE_FIGURES] = {
    [CS_RACE_ESS] = {.figure = &cs_figure_ess,
                     .head = "ESS",
                     .note = "smallest of all quantities; more is "
                             "better",
                     .of = "",
                     .key = {"diagnostics/table"}},
    [CS_RACE_CHOSEN] =
        {.figure = &cs_figure_ess,
         .name = "chosen",
         .what = "effective draws of the chosen coordinate",
         .head = "chosen",
         .note = "press n for another coordinate; more is better",
         .of = "",
         .missing = "has no effective sample size for this coordinate yet",
         .key = {"diagnostics/table"},
         .chosen = true},
    [CS_RACE_MULTIVARIATE] = {.figure = &cs_figure_ess_multivariate,
                              .name = "multivariate",
                              .head = "ESS, all",
                              .note = "multivariate, for all means together; "
                                      "more is better",
                              .of = "",
                              .key = {"diagnostics/multivariate"}},
    [CS_RACE_DISTANCE] = {.figure = &cs_figure_distance,
                          .head = "distance",
                          .note =
                              "mean distance over the chains; less is better",
                          .of = " per chain",
                          .key = {"distance/curve", "mmd/curve", "means/time"}},
    [CS_RACE_MODES] = {.figure = &cs_figure_modes_found,
                       .name = "modes",
                       .head = "modes",
                       .note = "visited by any chain; more is better",
                       .of = "",
                       .key = {"modes/first"}},
    [CS_RACE_ENERGY] =
        {.figure = &cs_figure_energy,
         .head = "low energy",
         .note = "lowest -log p of any chain, in nats; less is better",
         .of = "",
         .key = {"trace/0/low"}},
    [CS_RACE_ACCEPTANCE] = {.figure = &cs_figure_acceptance,
                            .head = "accepted",
                            .note = "over all steps; neither more nor less is "
                                    "better",
                            .of = "",
                            .key = {"acceptance/chains"}},
    [CS_RACE_KISH] =
        {.figure = &cs_figure_kish,
         .head = "Kish",
         .note = "effective sample size of the weights (Kish); more is better",
         .of = "",
         .key = {"weights/all"}},
    [CS_RACE_TERMS] = {.figure = &cs_figure_terms,
                       .head = "terms",
                       .note = "rows of data used; not a measure of quality",
                       .of = "",
                       .key = {"data_terms"}},
};

static const char *what_of(const kind *k)
{
    return k->what ? k->what : k->figure->title;
}

/* Returns true if the figure is a total that cannot be compared at equal work
 * and is therefore divided by the work. */
static bool is_rate(const kind *k)
{
    return k->figure->flags & CS_FIGURE_TOTAL && !k->figure->reach;
}

static bool is_seen(const kind *k)
{
    return k->figure->flags & CS_FIGURE_SEEN;
}

/* Returns true if the figure must not be used to compare arms that found
 * different numbers of modes. If an arm never visited a part of the target,
 * even many draws of this arm are worth little. */
static bool needs_modes(const kind *k)
{
    return k->figure->flags & CS_FIGURE_TOTAL &&
           k->figure->draws != CS_DRAWS_NONE;
}

const char *cs_race_name(cs_race_figure which)
{
    if (which >= CS_RACE_FIGURES)
        return NULL;
    const kind *k = &kinds[which];
    return k->name ? k->name : k->figure->name;
}

/* Returns the unit of work. The number of data terms is shown per step, since
 * the number per data term is always 1. */
static cs_unit unit_for(const cs_shot *s, cs_race_figure which, cs_unit unit)
{
    unit = cs_shot_unit(s, unit);
    return which == CS_RACE_TERMS && unit == CS_UNIT_TERMS ? CS_UNIT_STEPS
                                                           : unit;
}

/* Returns the reason why an arm has no figures; NULL: no such reason is
 * known. */
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
        snprintf(text, size, "fails the law %s", broken);
    else if (!cs_shot_number(s, 1, "arm/%zu/exact", arm))
        snprintf(text, size, "%s", inexact);
    else if (cs_shot_number(s, 0, "arm/%zu/off", arm) > 0)
        snprintf(text, size, "differs from the exact distribution");
}

/* Returns true if all arms are inexact. In this case any arm can win; otherwise
 * only exact arms can win. */
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
    if (cs_shot_asks(s)) /* the ranking would answer the question */
        out->n = 0;
    for (size_t arm = 0; arm < out->n; arm++) {
        cs_runner *to = &out->arm[arm];
        to->name = cs_shot_arm(s, arm);
        to->chains = (double)cs_shot_chains(s, arm);
        for (cs_unit u = CS_UNIT_STEPS; u < CS_UNITS; u++)
            to->work[u] = cs_shot_work(s, arm, u);
        to->out = find_out(s, arm, to);
        find_barred(s, arm, to->barred, sizeof to->barred);
        to->apart = cs_shot_text(s, "arm/%zu/apart", arm);
    }
    out->inexact = are_inexact(out);
}

/* The arm, unit and other arguments with which a figure is queried. */
typedef struct question {
    const cs_racers *field;
    cs_table_facts facts;
    cs_figure_of of;
} question;

static question ask(const cs_racers *field, cs_unit unit)
{
    question q = {field, cs_shot_facts(field->s), cs_figure_of_arm(0)};
    q.of.unit = unit;
    return q;
}

/* Returns the largest work that all arms with this figure have reached. */
static double equal_work(const kind *k, question *q)
{
    double least = NAN;
    for (q->of.arm = 0; q->of.arm < q->field->n; q->of.arm++)
        if (!q->field->arm[q->of.arm].out)
            least = fmin(least, k->figure->reach(&q->facts.facts, &q->of));
    return least;
}

static cs_figure value_of(const kind *k, const question *q, cs_race *out)
{
    cs_unit unit = q->of.unit;
    const cs_runner *arm = &q->field->arm[q->of.arm];
    char *why = out->why[q->of.arm];
    size_t size = sizeof out->why[0];
    double work = arm->work[unit];
    snprintf(why, size, "%s", arm->out ? arm->out : "");
    if (arm->out)
        return cs_no_figure;
    if ((is_rate(k) || k->figure->reach) && !(work > 0)) {
        snprintf(why, size, "has no %s", cs_unit_at(unit)->many);
        return cs_no_figure;
    }
    cs_figure f = cs_figure_ask(k->figure, &q->facts.facts, q->of);
    if (is_rate(k))
        f.value *= cs_unit_at(unit)->in_lot / work;
    if (isfinite(f.value))
        return f;
    snprintf(why, size, "%s",
             k->missing  ? k->missing
             : f.missing ? f.missing
                         : k->figure->missing);
    return cs_no_figure;
}

/* Writes the name of the chosen distance. */
static void name_distance(const question *q, char *to, size_t size)
{
    cs_distance_curve c;
    const cs_distance_wanted first = {.unit = q->of.unit, .of = ""};
    *to = 0;
    for (size_t arm = 0; arm < q->facts.facts.arms && !*to; arm++)
        if (cs_distance_find(&q->facts.facts, &first, arm, &c))
            snprintf(to, size, " (%.60s)", c.name);
}

static void name_it(const kind *k, const question *q, cs_race *out)
{
    const cs_unit_row *unit = cs_unit_at(out->unit);
    bool rate = is_rate(k);
    const char *what = what_of(k);
    char which[64] = "", chosen[56];
    if (out->figure == CS_RACE_DISTANCE)
        name_distance(q, which, sizeof which);
    if (k->chosen &&
        cs_shot_word(cs_shot_text(q->field->s, "coordinates"),
                     q->field->at.coordinate, chosen, sizeof chosen)) {
        what = k->figure->title;
        snprintf(which, sizeof which, " for %s", chosen);
    }
    snprintf(out->title, sizeof out->title, "%s%s%s%s", what, which,
             rate ? " per " : "", rate ? unit->lot : "");
    snprintf(out->brief, sizeof out->brief, "%s%s%s", k->head, rate ? "/" : "",
             rate ? unit->brief : "");
    if (rate)
        snprintf(out->where, sizeof out->where, " per %s", unit->one);
    else if (isfinite(out->work))
        snprintf(out->where, sizeof out->where, " at %s %s%s",
                 cs_num(out->work).text, unit->many, k->of);
}

/* Stores the number of modes found by each arm in *out. If the arms found
 * different numbers of modes, they are not compared by effective draws. */
static void add_modes(question q, cs_race *out)
{
    const kind *k = &kinds[CS_RACE_MODES];
    const cs_facts *f = &q.facts.facts;
    size_t r, c, modes = 0;
    q.of.work = equal_work(k, &q);
    for (q.of.arm = 0; q.of.arm < q.field->n; q.of.arm++) {
        cs_contender *to = &out->arm[q.of.arm];
        if (q.field->arm[q.of.arm].out ||
            !cs_fact_array(f, q.of.arm, &r, &c, "modes/first"))
            continue;
        modes = c;
        to->modes = cs_figure_ask(k->figure, f, q.of).value;
        const double *jumps = cs_fact_array(f, q.of.arm, &r, &c, "modes/jumps");
        to->stays = jumps != NULL;
        for (size_t i = 0; jumps && i < r * c; i++)
            to->stays &= jumps[i] == 0;
    }
    snprintf(out->at, sizeof out->at, " within %s %s", cs_num(q.of.work).text,
             cs_unit_at(out->unit)->many);
    out->ranking.modes = modes ? (double)modes : (double)NAN;
    out->ranking.at = out->at;
}

/* ---- replicates ---------------------------------------------------------- */

/* Copies the figure of all replicates to *out. If no replicate has the figure,
 * returns false. */
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

/* Replaces an arm's figure by the mean of this figure over all replicates, if
 * there are enough replicates to estimate the error of the mean. */
static void take_mean(const kind *k, size_t arm, cs_race *out)
{
    cs_contender *to = &out->arm[arm];
    bool logs = k->figure->merit != CS_MERIT_NONE && !is_seen(k);
    cs_paired p =
        cs_paired_of(out->run + arm, NULL, out->runs, out->ranking.n, logs);
    out->mean[arm] = logs ? exp(p.mean) : p.mean;
    if (out->runs < CS_RANKING_RUNS)
        return;
    to->value = out->mean[arm];
    to->error = logs || is_seen(k) ? p.error : p.error / fabs(p.mean);
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
             k->figure->reach ? " at equal work" : "", out->runs);
    end = k->figure->reach ? 0 : strlen(out->where);
    snprintf(out->where + end, sizeof out->where - end, "%s over %zu seeds",
             k->figure->reach ? " at equal work" : "", out->runs);
    out->work = (double)NAN; /* the replicates have no common work */
}

/* Stores an arm's figure in *out, unless it is a figure per second. */
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

static cs_contender contender_of(const cs_runner *arm, cs_figure v,
                                 const char *why)
{
    return (cs_contender){.name = arm->name,
                          .value = v.value,
                          .error = v.error,
                          .freedom = v.freedom,
                          .modes = NAN,
                          .barred = *arm->barred ? arm->barred : NULL,
                          .vague = v.vague,
                          .apart = *arm->apart ? arm->apart : NULL,
                          .missing = *why ? why : NULL};
}

void cs_race_find(const cs_racers *f, cs_race_figure which, cs_race *out)
{
    const kind *k = &kinds[which];
    memset(out, 0, sizeof *out);
    out->figure = which;
    out->unit = unit_for(f->s, which, f->at.unit);
    out->note = k->note;
    question q = ask(f, out->unit);
    if (k->chosen)
        q.of.k = (double)f->at.coordinate + 1;
    if (k->figure->reach)
        q.of.work = equal_work(k, &q);
    out->work = q.of.work;
    name_it(k, &q, out);
    out->ranking = (cs_ranking){.arm = out->arm,
                                .n = f->n,
                                .merit = k->figure->merit,
                                .seen = is_seen(k),
                                .what = what_of(k),
                                .where = out->where,
                                .inexact = f->inexact,
                                .modes = NAN};
    const char *apart = cs_shot_text(f->s, "run/apart");
    out->ranking.apart = *apart ? apart : NULL;
    for (size_t arm = 0; arm < f->n; arm++) {
        q.of.arm = arm;
        out->arm[arm] =
            contender_of(&f->arm[arm], value_of(k, &q, out), out->why[arm]);
    }
    if (needs_modes(k))
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
                 "; %zu arms, of which only the first %d are compared", all,
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
