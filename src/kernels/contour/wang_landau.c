/* wang_landau: a random walk in energy that estimates the number of states.
 * Each visit to a bin increases its log theta by f, and f decreases as the
 * histogram of visits fills.
 *
 *   the step     as in flatten.h
 *   at visit k   log theta(J) += f, f = 1 at first
 *   every `every` steps, for the m bins seen so far and their visits h
 *   since the last reset:
 *     rule = "flat"   if min h >= flatness mean h: halve f and reset h to 0
 *     rule = "1/t"    if min h > 0: halve f and reset h to 0; once f <= m / k,
 *                     f is m / k at every later step
 *   f below `least` is set to 0
 *
 * Wang and Landau, "Efficient, multiple-range random walk algorithm to
 * calculate the density of states" (2001), Eqs. 1 to 3 (f here is the log of
 * the paper's f); Belardinelli and Pereyra, "Fast algorithm to calculate
 * density of states" (2007), who showed that with rule "flat" the error stops
 * decreasing once f falls too fast, while with rule "1/t" it decreases as
 * k^-1/2.
 *
 * Differences from the papers: a bin is unknown until its first visit, and then
 * starts with the smallest log theta of the visited bins. If log theta started
 * from 0, the bin would hold the chain until its theta had caught up with the
 * others. With rule 1/t, h is then also reset to 0 for all bins; otherwise f
 * would fall before the rare bins are found. The weight of a draw is theta(J)
 * divided by the sum of theta. */
#include "kernels/contour/flatten.h"

enum { RULE = CS_FLATTEN_ROWS, EVERY, FLATNESS, LEAST, NUMBERS };
enum { ONE_OVER_T, FLAT };
enum { HALVING, FALLING }; /* values of CS_FLATTEN_PHASE */

static const char *const rules[] = {"1/t", "flat", NULL};

static void begin_anew(cs_flatten_lane *b)
{
    for (size_t i = 0; i < b->n; i++)
        *cs_flatten_entry(b, CS_FLATTEN_RECENT, i) = 0;
}

static void meet(cs_flatten_lane *b, size_t at)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < b->n; i++)
        if (i != at && *cs_flatten_entry(b, CS_FLATTEN_VISITS, i) > 0)
            least = fmin(least, *cs_flatten_theta(b, i));
    if (least < HUGE_VAL)
        *cs_flatten_theta(b, at) = least;
}

/* Returns whether the histogram fulfils the rule. If so, resets the
 * histogram. */
static bool is_full(const cs_flatten_view *v, size_t l, cs_flatten_lane *b)
{
    bool flat = cs_flatten_param(v->m, RULE)[0] == FLAT;
    double flatness = cs_flatten_param(v->m, FLATNESS)[l];
    double least = HUGE_VAL, sum = 0;
    for (size_t i = 0; i < b->n; i++) {
        double h = *cs_flatten_entry(b, CS_FLATTEN_RECENT, i);
        if (*cs_flatten_entry(b, CS_FLATTEN_VISITS, i) > 0)
            least = fmin(least, h);
        sum += h;
    }
    double mean = sum / *cs_flatten_word(b, CS_FLATTEN_SEEN);
    if (flat ? least < flatness * mean : least == 0)
        return false;
    begin_anew(b);
    return true;
}

/* Returns f, the increment of log theta, for this visit. */
static double factor(const cs_flatten_view *v, size_t l, cs_flatten_lane *b)
{
    double *f = cs_flatten_word(b, CS_FLATTEN_GAIN);
    double *phase = cs_flatten_word(b, CS_FLATTEN_PHASE);
    double k = *cs_flatten_word(b, CS_FLATTEN_COUNT);
    double fall = *cs_flatten_word(b, CS_FLATTEN_SEEN) / k;
    uint64_t every = (uint64_t)cs_flatten_param(v->m, EVERY)[0];
    if (*phase == FALLING)
        *f = *f > 0 ? fall : 0;
    else if (*f > 0 && (uint64_t)k % every == 0 && is_full(v, l, b)) {
        *f /= 2;
        if (cs_flatten_param(v->m, RULE)[0] == ONE_OVER_T && *f <= fall) {
            *phase = FALLING;
            *f = fall;
        }
    }
    if (*f < cs_flatten_param(v->m, LEAST)[l])
        *f = 0;
    return *f;
}

static bool visit(const cs_flatten_view *v, size_t l, cs_flatten_lane *b)
{
    size_t at = cs_flatten_bin(b);
    bool fixed = v->wrapper->lists.n[CS_FLATTEN_LOG_WEIGHTS] > 0;
    if (*cs_flatten_entry(b, CS_FLATTEN_VISITS, at) == 1) {
        *cs_flatten_word(b, CS_FLATTEN_SEEN) += 1;
        if (cs_flatten_param(v->m, RULE)[0] == ONE_OVER_T)
            begin_anew(b);
        if (!fixed)
            meet(b, at);
    }
    *cs_flatten_entry(b, CS_FLATTEN_RECENT, at) += 1;
    double f = factor(v, l, b);
    *cs_flatten_theta(b, at) += f;
    *cs_flatten_entry(b, CS_FLATTEN_LAST, at) = f;
    return true;
}

static void init(cs_move *m)
{
    cs_flatten_init(m, true, true);
}

static void step(cs_move *m)
{
    cs_flatten_step(m, visit, cs_flatten_raise);
}

#define PAPER "Wang and Landau 2001, "
#define FASTER "Belardinelli and Pereyra 2007"

static const cs_param rows[] = {
    CS_FLATTEN_PARAMS(PAPER "Eq. 1"),
    [RULE] = {.name = "rule",
              .kind = CS_PARAM_CHOICE,
              .flags = CS_PARAM_SHARED | CS_PARAM_FIXED,
              .max = FLAT,
              .choices = rules,
              .help =
                  "rule for f. 1/t: f is halved each time all bins have been "
                  "visited; once f is below the number of bins divided by the "
                  "number of steps, f is set to this ratio. flat: f is halved "
                  "each time the histogram of visits is flat",
              .ref = FASTER "; Wang and Landau 2001"},
    [EVERY] = {.name = "every",
               .unit = "steps",
               .kind = CS_PARAM_INT,
               .flags = CS_PARAM_LOG | CS_PARAM_SHARED,
               CS_PARAM_RANGE(1, 1e15, 1000),
               .help =
                   "number of steps between checks of the histogram of visits"},
    [FLATNESS] =
        {.name = "flatness",
         .max = 1,
         .def = 0.8,
         .help =
             "with rule = 'flat': the histogram is flat if the least visited "
             "bin has at least this share of the mean number of visits",
         .ref = PAPER "page 2051"},
    [LEAST] = {.name = "least",
               .flags = CS_PARAM_LOG,
               .max = 1,
               .def = 1e-8,
               .help = "the weights are frozen once f is below this value",
               .ref = PAPER "page 2051"},
    [NUMBERS + CS_FLATTEN_LOG_WEIGHTS] =
        CS_FLATTEN_LOG_WEIGHTS_ROW("initial log theta of each bin (nats)"),
};

static cs_status arrange(const cs_value *given, double *values, cs_error *err)
{
    return cs_flatten_arrange(given, &given[NUMBERS + CS_FLATTEN_LOG_WEIGHTS],
                              values, err);
}

const cs_kernel_type CS_VARIANT(cs_kernel_wang_landau) = {
    .name = "wang_landau",
    .title = "Wang-Landau",
    .ref = "Wang and Landau, Efficient, multiple-range random walk algorithm "
           "to calculate the density of states, 2001; Belardinelli and "
           "Pereyra, Fast algorithm to calculate density of states, 2007",
    .help = "Wraps a reversible kernel, which makes the proposals. Learns a "
            "weight for each bin of the energy such that all bins are visited "
            "equally often; with measure = 'uniform' the weights are the "
            "density of states. Draws are reweighted to the target, and are "
            "approximate while the weights are learned.",
    .flags = CS_KERNEL_WEIGHS | CS_KERNEL_ACCEPTS | CS_KERNEL_DECIDES,
    CS_FLATTEN_MEMBERS(rows, 1),
    .report = cs_flatten_report_alike,
};
